"""List of all models, so that the metadata is complete where this is imported (migrations, schema tests)."""

from tailroom.storage.access_token import AccessToken, BrowserSession
from tailroom.storage.audit import PublicationFinding, RunFinding
from tailroom.storage.backup_made import BackupMade
from tailroom.storage.base import Base
from tailroom.storage.board_edition import BoardEdition
from tailroom.storage.budget import BudgetRow
from tailroom.storage.campaign import (
    Campaign,
    CampaignMember,
    CommandKey,
    EnrolmentCode,
    ServingAgent,
)
from tailroom.storage.catalogue import (
    CatalogueAlias,
    CatalogueFact,
    CatalogueItem,
    ClaimRow,
    PublicationRow,
    ReferenceState,
)
from tailroom.storage.chain import Chain, ChainHop
from tailroom.storage.drive_test import DriveTest, RatedRun, RatingRevision, TestJudgementRow
from tailroom.storage.interval import IntervalRow
from tailroom.storage.invitation import Invitation
from tailroom.storage.objection import Objection
from tailroom.storage.observation import Observation, ObservationPart
from tailroom.storage.organisation import Organisation
from tailroom.storage.person import (
    MailCode,
    Membership,
    Passkey,
    Person,
    PersonIdentity,
    PersonSession,
    SignInAttempt,
)
from tailroom.storage.price_list import PriceListRow
from tailroom.storage.quota import Quota
from tailroom.storage.run import Run
from tailroom.storage.run_link import RunLink
from tailroom.storage.run_picture import RunPicture
from tailroom.storage.saved_item import SavedItemRow
from tailroom.storage.series import Series
from tailroom.storage.slices import AnalysisState, RollupState, Slice
from tailroom.storage.suggestion import CatalogueSuggestion
from tailroom.storage.table_revision import TableRevision
from tailroom.storage.tombstone import Tombstone
from tailroom.storage.trail import TrailEvent
from tailroom.storage.upload import RawFile, RunSource, Upload, UploadFile
from tailroom.storage.verdicts import VerdictRow
from tailroom.storage.watch import Alert, Watch, WatchResult
from tailroom.storage.work import WorkRow, WorkTurn

MODELS: tuple[type[Base], ...] = (
    Organisation,
    AccessToken,
    BrowserSession,
    BudgetRow,
    Run,
    Chain,
    ChainHop,
    Series,
    IntervalRow,
    Slice,
    RollupState,
    AnalysisState,
    VerdictRow,
    RunPicture,
    RunLink,
    RawFile,
    Upload,
    UploadFile,
    RunSource,
    CatalogueItem,
    CatalogueAlias,
    CatalogueFact,
    PublicationRow,
    ClaimRow,
    ReferenceState,
    CatalogueSuggestion,
    PublicationFinding,
    RunFinding,
    DriveTest,
    TestJudgementRow,
    RatingRevision,
    RatedRun,
    BoardEdition,
    Objection,
    WorkRow,
    WorkTurn,
    Tombstone,
    TableRevision,
    PriceListRow,
    Person,
    PersonSession,
    PersonIdentity,
    Passkey,
    SignInAttempt,
    SavedItemRow,
    Membership,
    MailCode,
    Invitation,
    TrailEvent,
    BackupMade,
    Quota,
    EnrolmentCode,
    CommandKey,
    ServingAgent,
    Campaign,
    CampaignMember,
    Observation,
    ObservationPart,
    Watch,
    WatchResult,
    Alert,
)
