// Generated from docs/contracts/openapi.json by `npm run generate -w frontend`. Do not edit.

export interface paths {
    "/api/v1/agent/codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a code for one agent
         * @description It is given this once, and good for an hour.
         */
        post: operations["make_enrolment_code"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agent/poll": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An agent asks for work
         * @description With what it has to say of its job. Without any it may wait for work: the answer then begins at once,
         *     has a blank every 40 s, and ends when there is something to do or the time is over.
         */
        post: operations["poll_agent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agent/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An agent signs for a token of minutes
         * @description With the key that its machine made when it enrolled. A signature is good once.
         */
        post: operations["create_short_token"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Agents of the organisation
         * @description Hosts, versions, and when each asked last.
         */
        get: operations["list_agents"];
        put?: never;
        /**
         * A machine becomes an agent
         * @description By a code that is good once; it has 192 random bits, so that nobody guesses one. The machine makes
         *     a pair of keys and keeps the private one; see `POST /api/v1/agent/token`.
         */
        post: operations["enrol_agent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove an agent
         * @description Its token ends at once. Its runs stay.
         */
        delete: operations["remove_agent"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/budgets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Budgets that can be asked about
         * @description Built-in budgets, then every version of the organisation's own.
         */
        get: operations["list_budgets"];
        put?: never;
        /**
         * Write down a version of a budget
         * @description Keeps a version for ever; the same content again is harmless. Runs of the workloads that `applies_to`
         *     names are judged by the newest version of each name from now on, finished ones too.
         */
        post: operations["store_budget"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Campaigns of the organisation
         * @description The newest first.
         */
        get: operations["list_campaigns"];
        put?: never;
        /**
         * Begin a campaign
         * @description The agents hear of it at once; each checks it against the policy of its own machine.
         */
        post: operations["begin_campaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{campaign_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One campaign
         * @description Phases, agents, the start of each phase with its error, and the run of each phase.
         */
        get: operations["get_campaign"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{campaign_id}/observations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What machines did during a campaign
         * @description Observations that share seconds with it; empty where there is no such campaign.
         */
        get: operations["get_campaign_observations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{campaign_id}/repeat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Repeat a campaign
         * @description The same plan on the same server by the same agents.
         */
        post: operations["repeat_campaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{campaign_id}/siblings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Which drive, node or link is not like the others
         * @description Each unit of a phase against its siblings, corrected for their number, with the facts in which one that
         *     stands out differs. A unit is a drive where runs have records of several, else the run of an agent.
         */
        get: operations["get_siblings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{campaign_id}/siblings.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The same as a table
         * @description One row for each unit and quantity; units that were not judged have one row with the reason.
         */
        get: operations["get_siblings_csv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{campaign_id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop a campaign
         * @description Agents hear of it within a second; what they measured stays. Harmless when repeated.
         */
        post: operations["stop_campaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/catalogue/{kind}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Everything of one kind, with facts and sources
         * @description Facts that disagree are all listed, each with its source, and are marked.
         */
        get: operations["get_catalogue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/chain-proposal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Which runs may belong to this one
         * @description By campaign, host, device and time. Runs are linked only when the chain is sent.
         */
        get: operations["propose_chain"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/chains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Linked runs of the organisation
         * @description Return the newest chain first, and the innermost layer of each first.
         */
        get: operations["list_chains"];
        put?: never;
        /**
         * Confirm that runs belong together
         * @description Each layer and each run once; visible to the organisation only.
         */
        post: operations["make_chain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/chains/{chain_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What each hop adds, at equal quantiles of the whole
         * @description The curves on one axis, and bounds of each hop's own time that need no independence.
         */
        get: operations["get_chain"];
        put?: never;
        post?: never;
        /**
         * Remove the links; the runs stay
         * @description Nothing of the runs changes.
         */
        delete: operations["remove_chain"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The clock of this installation
         * @description Agents compare theirs with it; answered at once, so that half the way is the largest error.
         */
        get: operations["get_clock"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/comparability": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * May these tests be put in one order?
         * @description Every pair of the tests, with each reason against comparing it.
         */
        get: operations["get_comparability"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/comparisons": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the differences of two to six subjects show
         * @description The answer of each pair with its interval, reasons against a comparison, and the curves of all.
         *
         *     The same calculation as `tailroom compare`.
         */
        get: operations["get_comparison"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/comparisons/baseline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A run against the runs of a branch
         * @description The same calculation as `tailroom compare --baseline BRANCH NEW`.
         */
        get: operations["get_baseline_comparison"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/comparisons/published": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Published configurations that may be compared
         * @description By the name that a comparison takes.
         */
        get: operations["list_published_subjects"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/comparisons/report.{form}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The report of a comparison: answers, objections, every gain with its limits
         * @description The same figures as the comparison itself, and the same bytes but for its date.
         */
        get: operations["get_comparison_report"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/drives": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Drives of the catalogue by name
         * @description Case, punctuation and capacities do not matter; names that begin with the text come first.
         */
        get: operations["search_drives"];
        put?: never;
        /**
         * Add a drive that the catalogue does not have
         * @description Only your organisation sees it. A drive that may be on record already is refused with its names.
         */
        post: operations["add_drive"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/drives/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Everything on record about a drive
         * @description Facts with their sources, every tested load, load curves, and what may not be compared.
         */
        get: operations["get_drive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/drives/{slug}/badge.svg": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A drive's rating as a small picture
         * @description For pages elsewhere: rating, evidence and rule set of what is public.
         */
        get: operations["get_drive_badge"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/edition-changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What has changed between two editions
         * @description Rows that came, went, or have another rating, rank or standing, and what was withdrawn.
         */
        get: operations["get_edition_changes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/editions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Editions of the leaderboard
         * @description The boards of past quarters, each with the hash of its body.
         */
        get: operations["get_editions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/editions/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The leaderboard of a quarter, which never changes
         * @description Every public row as it was answered on that day, byte for byte.
         */
        get: operations["get_edition"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/formats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Result files that can be read
         * @description The table of `tailroom formats`: tools, versions, kinds of files, what is read and what is not.
         */
        get: operations["list_formats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/invitation/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation
         * @description The session acts for the organisation from now on.
         */
        post: operations["accept_invitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/invitation/look-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What an invitation leads to
         * @description Return the invitation of a link; nothing is changed.
         */
        post: operations["look_up_invitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Invite somebody into the organisation
         * @description Sends the link by mail, and shows it this once. An older invitation of the same address ends.
         */
        post: operations["invite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/invitations/{invitation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Take an invitation back
         * @description Its link leads nowhere from now on.
         */
        delete: operations["revoke_invitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/leaderboard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Which drive holds which load, at equal conditions
         * @description Rows in order, with ratings as intervals, rank ranges, and what other conditions hide.
         */
        get: operations["get_leaderboard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/leaderboard.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The same rows as a table
         * @description Exactly the rows that the same question shows, with every number in its unit.
         */
        get: operations["get_leaderboard_csv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/mail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Mails that were stored instead of sent
         * @description Without a mail server, people at this machine read the links of mails here.
         */
        get: operations["list_stored_mail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * My account and my organisations
         * @description Return the account of the signed-in person.
         */
        get: operations["get_account"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change my name
         * @description As other members see it.
         */
        patch: operations["change_profile"];
        trace?: never;
    };
    "/api/v1/me/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete my account
         * @description With everything that is stored of the person; audit trails stay. The last owner of an organisation
         *     transfers it first. Takes the password, where the account has one; told by mail.
         */
        post: operations["delete_account"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/identities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Accounts elsewhere that open mine
         * @description At the provider of single sign-on.
         */
        get: operations["list_identities"];
        put?: never;
        /**
         * Begin to connect my account with the provider
         * @description As signing in, and the two accounts are connected when the browser comes back.
         *
         *     Takes the password, where the account has one: whoever finds a browser open makes no way in of their own.
         */
        post: operations["begin_connection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/identities/{identity_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Disconnect an account elsewhere
         * @description It opens this account no more. Refused where nothing else does: choose a password first.
         */
        delete: operations["disconnect_identity"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/organisations/{organisation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Leave an organisation
         * @description The last owner cannot leave.
         */
        delete: operations["leave_organisation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/passkey-challenge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to make a passkey
         * @description Return the challenge for the device. Takes the password, where the account has one.
         */
        post: operations["begin_passkey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * My passkeys
         * @description What opens the account, and when it was used last.
         */
        get: operations["list_passkeys"];
        put?: never;
        /**
         * Store a new passkey
         * @description From now on it signs in by itself, and a password alone does not. With the first proof of this kind
         *     come recovery codes, and other sessions end. The person gets a mail.
         */
        post: operations["make_passkey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/passkeys/{passkey_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Rename a passkey
         * @description To tell one device from another.
         */
        patch: operations["rename_passkey"];
        trace?: never;
    };
    "/api/v1/me/passkeys/{passkey_id}/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove a passkey
         * @description It opens nothing from now on. Takes the password, where the account has one; told by mail.
         */
        post: operations["remove_passkey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change my password
         * @description Ends every other session of the person, and reports it by mail.
         */
        put: operations["change_password"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/saved": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What I have saved
         * @description Questions, shortlists, drives and runs, each by its address.
         */
        get: operations["list_saved"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Save, and forget what was saved
         * @description Adding what is there already changes nothing, so a browser may add all that it has.
         */
        patch: operations["change_saved"];
        trace?: never;
    };
    "/api/v1/me/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * My second factor
         * @description Whether there is one, and how many recovery codes are left.
         */
        get: operations["get_second_factor"];
        /**
         * Turn the second factor on with a first code
         * @description From now on signing in asks for a code. Other sessions end, and the person gets a mail.
         */
        put: operations["confirm_second_factor"];
        /**
         * Begin to set a second factor
         * @description A secret for an app. It counts for nothing until a code of it was right.
         */
        post: operations["begin_second_factor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/second-factor/off": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turn the second factor off
         * @description Takes password and code. The person gets a mail.
         */
        post: operations["turn_off_second_factor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/second-factor/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get other recovery codes
         * @description Earlier codes are no longer valid.
         */
        post: operations["make_recovery_codes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Where I am signed in
         * @description Every browser, the last used first.
         */
        get: operations["list_sessions"];
        put?: never;
        post?: never;
        /**
         * Sign out everywhere else
         * @description The session that asks stays.
         */
        delete: operations["end_other_sessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Sign out a browser
         * @description Every copy of its cookie ends with it.
         */
        delete: operations["end_session"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who belongs to the organisation
         * @description With open invitations, for those who may invite.
         */
        get: operations["list_members"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/{person_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Take a member out of the organisation
         * @description They see nothing of it from their next request on. Invitations, enrolment codes and tokens that they
         *     issued end; rotate tokens that programs live by first. Agents stay.
         */
        delete: operations["remove_member"];
        options?: never;
        head?: never;
        /**
         * Give a member another role
         * @description It counts from the member's next request on. Invitations, enrolment codes and tokens that they issued
         *     and may not issue any more end with it.
         */
        patch: operations["change_role"];
        trace?: never;
    };
    "/api/v1/observations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An observer begins
         * @description Which machine, which gauges, and what it does not know; sending the same again is harmless.
         */
        post: operations["announce_observation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/observations/{observation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Numbers of one group of gauges
         * @description Seconds that lie entirely in the window, merged into at most 360 steps.
         */
        get: operations["get_gauges"];
        put?: never;
        post?: never;
        /**
         * Delete an observation
         * @description Every second of it. Runs stay.
         */
        delete: operations["delete_observation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/observations/{observation_id}/finish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An observer has ended
         * @description Says how many seconds there are; harmless when repeated.
         */
        post: operations["finish_observation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/observations/{observation_id}/samples": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What an observer saw
         * @description Seconds that are stored already are left out; seconds behind a hole are not stored, and the answer
         *     says where to go on.
         */
        post: operations["send_samples"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/operations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Work, storage, partitions, agents and backups
         * @description Of all organisations together. Row counts of tables are PostgreSQL's estimates.
         */
        get: operations["get_operations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/operations/organisations/{organisation_id}/quota": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Limit what an organisation may have
         * @description Replaces all limits. Existing data stays; new data beyond a limit is refused.
         */
        put: operations["set_quota"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/operations/organisations/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read an organisation that another installation exported
         * @description As `tailroom organisation import`. Whole or not at all; again, it changes nothing. Runs arrive private
         *     and are judged again, and its members are invited again (`tailroom organisation invite`). An organisation
         *     that lives here already is added to only where `into` is its name.
         */
        post: operations["import_organisation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/operations/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try everything again that was given up
         * @description Of every organisation. Harmless where nothing failed.
         */
        post: operations["retry_all_work"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/operations/retry/{subject}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try again what failed about one thing
         * @description Begins again with all attempts. Harmless where nothing failed.
         */
        post: operations["retry_work"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/operations/suggestions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What everybody suggested for the catalogue
         * @description Open ones first, then the newest.
         */
        get: operations["list_all_suggestions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/operations/suggestions/{suggestion_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept or refuse a suggestion, or take a fact back
         * @description The decision is recorded in the audit trail of the suggesting organisation.
         */
        post: operations["decide_suggestion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organisation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Rename the organisation
         * @description Names need not be unique.
         */
        patch: operations["rename_organisation"];
        trace?: never;
    };
    "/api/v1/organisation/deletion": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Have the organisation deleted after days of grace
         * @description Every member gets a mail. Until then the organisation works as usual, and any owner can withdraw the
         *     request.
         */
        put: operations["ask_for_deletion"];
        post?: never;
        /**
         * Cancel the deletion of the organisation
         * @description Harmless without a request for deletion.
         */
        delete: operations["take_deletion_back"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organisation/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Everything that the organisation owns, as a pack
         * @description Runs with intervals, verdicts and files, budgets, prices, drives, members by name, the audit trail;
         *     nothing that lets anybody in. `tailroom organisation import` of another installation reads it.
         */
        get: operations["export_organisation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organisation/hand-over": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make another member owner in one's own place
         * @description The caller is an admin from the next request on. Both get a mail.
         */
        post: operations["hand_over_organisation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organisation/retention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How long what is stored
         * @description Whole runs, hours and verdicts stay until they are deleted.
         */
        get: operations["get_retention"];
        /**
         * Have data go sooner
         * @description At most as long as the installation stores data. Housekeeping applies it within the hour; removed data
         *     cannot be restored.
         */
        put: operations["set_retention"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organisation/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Ask members for a second factor
         * @description Members without one cannot act for the organisation, from the next request on, until they set one.
         */
        put: operations["require_second_factor"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organisations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make an organisation
         * @description Whose owner one becomes; the session acts for it from now on. Where anybody may sign up.
         */
        post: operations["make_organisation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/otlp/v1/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive metrics by OTLP over HTTP
         * @description Stores each export request as an upload and reads its histograms of times, explicit and exponential.
         *
         *     Set an exporter's endpoint to `…/api/v1/otlp` and its header `Authorization` to `Bearer` and a token;
         *     packed by gzip or not. Let it send deltas: each request is judged for its own stretch of time.
         */
        post: operations["receive_otlp_metrics"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign up
         * @description Sends a link to the address; whoever opens it chooses the password. Says the same where there is an
         *     account.
         */
        post: operations["sign_up"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/people/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Choose a password with the code of a mail
         * @description Finishes signing up, or gives an account another password and ends its sessions; then signs in.
         */
        put: operations["choose_password"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/people/password-reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for a new password
         * @description Sends a link to the address, if it has an account. The answer is the same without one.
         */
        post: operations["ask_password_reset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/price-list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The organisation's own prices
         * @description Price, power and endurance by drive and capacity, each with date and source.
         */
        get: operations["get_price_list"];
        /**
         * Add prices, by entries or as CSV
         * @description Takes the place of entries about the same drive and capacity; the others stay. All of it or nothing.
         */
        put: operations["store_prices"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/price-list/{slug}/{capacity_bytes}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Take a price away
         * @description The list without it.
         */
        delete: operations["remove_price"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/publications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Published documents
         * @description With how much each claims, and how much of it is doubtful.
         */
        get: operations["list_publications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/publications/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One published document
         * @description Every claim with its unit, conditions and place, what it recomputes to, and what the checks found.
         */
        get: operations["get_publication"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/quota": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the organisation may have, and has
         * @description Limits are set by operators; null is none.
         */
        get: operations["get_quota"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/raw-files/{sha256}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A file as it was sent
         * @description The bytes, unchanged, to those who sent them.
         *
         *     An installation with an object store may answer with an address there that is good for a moment (307).
         */
        get: operations["get_raw_file"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/raw-files/{sha256}/lines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Text around a line of a file
         * @description Lines as problems number them, gzip, zstd and zip opened, to those who sent the file.
         *
         *     Bytes that are no text are shown by signs; lines longer than 2,000 characters are cut.
         */
        get: operations["get_raw_file_lines"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The organisation's runs and what others have published, newest first unless sorted
         * @description Lists runs with their verdicts in a word. Runs of others are in it only while they are public.
         */
        get: operations["list_runs"];
        put?: never;
        /**
         * A run begins
         * @description Stores what is going to be measured; sending the same again is harmless.
         */
        post: operations["announce_run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One run
         * @description Everything about a run besides its distributions.
         */
        get: operations["get_run"];
        put?: never;
        post?: never;
        /**
         * Delete a run for good
         * @description Deletes the run with its data and results for good. Readers of a published run see that it was deleted.
         *     Its upload is deleted with its last run.
         */
        delete: operations["delete_run"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/beside": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Logs of iostat, sar, mpstat and vmstat that cover the time of a run
         * @description Logs that came with the run, or whose time overlaps with it where both clocks have a zone and no other
         *     machine is named. Only the organisation that owns the run sees them.
         */
        get: operations["get_run_beside"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/course": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How a run went: steady state, changes, worst hours, error budget
         * @description Every operation at the limits that its budgets set; what is not known has its reason.
         */
        get: operations["get_run_course"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/disclosure": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Add facts that the run does not state
         * @description Answers are kept apart from what was measured, with their time; null takes one back.
         */
        patch: operations["answer_disclosure"];
        trace?: never;
    };
    "/api/v1/runs/{run_id}/drive-counters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Counters of the measured drives of a run
         * @description Differences between before and after the measurement, with bounds, and each reading.
         */
        get: operations["get_run_drive_counters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/embed/{picture}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A published run for pages elsewhere: badge, chart, chart in a frame, preview of a link
         * @description With verdicts on built-in budgets alone. A run that was withdrawn gives a badge that says so.
         */
        get: operations["get_run_picture"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What happens to a run, as it happens
         * @description Streams events until the page leaves, the right to read the run ends, the stream is an hour old, or the
         *     server goes down.
         */
        get: operations["watch_run"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/exceedance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shares of slow operations of a run
         * @description Every operation, clock and exact threshold, with confidence limits and, where one is set, the limit.
         */
        get: operations["get_run_exceedance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/figures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a run brings to comparisons: figures with limits, and their conditions
         * @description Every operation and clock; the limits are those of `tailroom compare`.
         */
        get: operations["get_run_figures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/findings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the plausibility checks found in a run
         * @description In the order of the checks; those that were made and found nothing are among them.
         */
        get: operations["get_run_findings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/finish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Nothing more will come
         * @description Ends the run as soon as everything up to the named last intervals has arrived.
         */
        post: operations["finish_run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/heatmap": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Latencies of a run over time, as counts by time and latency
         * @description At most 80 ranges of latency. A shorter extent has shorter stretches, down to single intervals.
         */
        get: operations["get_run_heatmap"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/intervals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The stored intervals of a run, as the result file of its agent
         * @description A line of JSON at a time: announcement, series, intervals, and how it ended. Without a last line the
         *     run goes on, or the answer was cut off.
         */
        get: operations["get_run_intervals"];
        put?: never;
        /**
         * What was measured
         * @description Stores a batch as a whole or not at all; acknowledged intervals are durable.
         */
        post: operations["send_intervals"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/ladder": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The load ladder that a run is a step of
         * @description Every step with its verdict on ACT's limits, and the highest load that these verdicts prove. Of
         *     somebody else's ladder only the published steps.
         */
        get: operations["get_run_ladder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The links to a run
         * @description Ended ones too.
         */
        get: operations["list_run_links"];
        put?: never;
        /**
         * Make a link that lets whoever has it read the run
         * @description It shows the run's report, chart and badge, and nothing else. The address is given this once.
         */
        post: operations["make_run_link"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/links/{link_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a link
         * @description Whoever follows it from now on reads that it has ended. Harmless when repeated.
         */
        delete: operations["revoke_run_link"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/names": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Names that publishing a run may show, by kind
         * @description The organisation's own. What is not ticked when it is published reads "host 1", "device 1".
         */
        get: operations["get_run_names"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/observations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What machines did during a run
         * @description Observations that share seconds with the run, and operations for each joule where watts are known.
         *     Only the organisation that owns the run sees them, whatever is published.
         */
        get: operations["get_run_observations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/pack.zip": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The evidence pack of a run: raw files, verdicts, buckets, report, hashes; signed
         * @description By built-in budgets. `tailroom verify` works out every verdict in it again, without this server.
         *
         *     It is made once and kept for a day. An installation with an object store may answer with an address there
         *     that is good for a moment (307).
         */
        get: operations["get_run_pack"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/percentiles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Percentile curves of a run
         * @description Every operation and clock; each quantile with the edges of the bucket that holds it.
         */
        get: operations["get_run_percentiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let everybody read a run
         * @description Everybody of this installation who has the link may read it; raw files stay private. Names of
         *     kinds that are not in `shown` become neutral ones, such as "host 1", wherever others read. Harmless when
         *     repeated; another `shown` counts from then on.
         */
        post: operations["publish_run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/report.{form}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The report of a run: question, answer, method, figures with bounds, disclosure, configuration
         * @description The same figures as the run's page. Equal but for its date while the run is as it is.
         *
         *     A PDF is made once and kept for a day; an installation with an object store may answer with an address
         *     there that is good for a moment (307).
         */
        get: operations["get_run_report"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/retract": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Withdraw a published run
         * @description Others read from now on that it was withdrawn, when, and why. Harmless when repeated.
         */
        post: operations["retract_run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try again what failed about a run
         * @description Begins again with all attempts. Harmless where nothing failed.
         */
        post: operations["retry_run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask a run to stop
         * @description Tells the agent, with the answer to its next batch, to end early. Asking again is harmless.
         */
        post: operations["stop_run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A run over time
         * @description Counts and percentiles over time; stretches are gathered so that there are at most `max_points`.
         */
        get: operations["get_run_timeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/second-factors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Which second factor each member has set
         * @description Whether there is one, and of which kind. For those who decide whether the organisation asks for one.
         */
        get: operations["list_member_factors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who is signed in
         * @description Who asks, how they are known, and what they may do; 401 when nobody is signed in.
         */
        get: operations["get_session"];
        put?: never;
        /**
         * Sign in with a viewer's or an engineer's token
         * @description Keeps a session in a cookie that scripts cannot read and other sites cannot send.
         */
        post: operations["create_session"];
        /**
         * Sign out
         * @description Ends the session, also in every copy of the cookie; harmless when there is none.
         */
        delete: operations["delete_session"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/local": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with the link that `make up` printed
         * @description Once, within ten minutes, from this machine.
         */
        post: operations["enter_as_owner"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/oidc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to sign in at the provider
         * @description The browser goes to the address; the provider sends it back to `/sign-in/return`.
         */
        post: operations["begin_single_sign_on"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/oidc/return": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Come back from the provider
         * @description Begins a session of twelve hours, or connects the account that had begun.
         */
        post: operations["finish_single_sign_on"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/organisation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Act for another organisation of mine
         * @description In this session, from the next request on.
         */
        put: operations["choose_organisation"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/passkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a passkey
         * @description A passkey is possession and a finger, face or PIN at once: no further factor is required.
         */
        post: operations["sign_in_with_passkey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/passkey/challenge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to sign in with a passkey
         * @description Return the challenge for the device, alone or besides a password. Reveals nothing about accounts.
         */
        post: operations["begin_passkey_sign_in"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/person": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with e-mail address and password
         * @description Begins a session that this server holds; the browser gets its cookie.
         */
        post: operations["sign_in"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sign-in-options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ways to sign in
         * @description Whether anybody may sign up, and where mails go.
         */
        get: operations["get_sign_in_options"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sla/carry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Which configurations would have carried the load of production?
         * @description Each record judged as `evaluate` does, at its own load, beside the busiest stretch of production.
         */
        post: operations["carry_production_load"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sla/evaluate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Does this record keep that budget?
         * @description The verdict with its bounds, the models side by side, and the band of the transaction's time.
         */
        post: operations["evaluate_sla"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sla/load-search/{run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The search for the highest load that a run is a probe of
         * @description Every probe judged by the objective of the search, and the highest load that passed beside the lowest
         *     that failed. Of somebody else's search only the published probes.
         */
        get: operations["get_load_search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sla/load-searches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Searches for the highest load side by side
         * @description The bracket of each search, and whether it lies wholly below or above that of the base.
         */
        get: operations["compare_load_searches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sla/match": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Which configurations keep a budget?
         * @description Every configuration of the organisation, and what others have published figures of, each judged as
         *     `evaluate` does at display resolution.
         */
        post: operations["match_sla"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sla/relax": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * How little less has to be asked for a record to pass?
         * @description For each part of the question the least change with which the record passes, each judged as `evaluate`
         *     does at display resolution.
         */
        post: operations["relax_sla"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sla/size": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * How many nodes does a rate of transactions take?
         * @description Nodes by reads, writes and data, with the arithmetic; no number where the record does not pass.
         */
        post: operations["size_sla"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/suggestions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the organisation suggested for the catalogue
         * @description With what became of each, the newest first.
         */
        get: operations["list_suggestions"];
        put?: never;
        /**
         * Suggest a drive or a fact for everybody's catalogue
         * @description The answer shows the shared result of an acceptance. Only moderators see the author.
         */
        post: operations["make_suggestion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/suggestions/{suggestion_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Withdraw a suggestion
         * @description Withdraws an open suggestion.
         */
        delete: operations["withdraw_suggestion"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Access tokens of the organisation
         * @description Ended ones too, without their texts.
         */
        get: operations["list_tokens"];
        put?: never;
        /**
         * Make an access token
         * @description Its text is given this once.
         */
        post: operations["make_token"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tokens/{token_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an access token
         * @description Refuse the token from the next request on, and end its sessions. Harmless when repeated.
         */
        delete: operations["revoke_token"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tokens/{token_id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace an access token
         * @description A new token of the same name and scope; the old token ends, at once or after the overlap.
         */
        post: operations["rotate_token"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/trail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who did what in the organisation
         * @description The newest first, with parts of names of actors and actions.
         */
        get: operations["read_trail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/trail.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who did what in the organisation, as CSV
         * @description The newest events that the filter leaves.
         */
        get: operations["export_trail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The organisation's uploads, newest first
         * @description List the sender's uploads, in numbers; they are private.
         */
        get: operations["list_uploads"];
        put?: never;
        /**
         * Send result files
         * @description Keeps the files, reads them, and stores what they tell as runs, which are judged like measured ones.
         *
         *     The same bytes again are the same runs; a log that has grown continues its run. Where no file can be read,
         *     the answer says why, and the files are kept all the same. Large files are read by a worker, after the
         *     answer (202).
         */
        post: operations["upload_files"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/uploads/{upload_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What became of an upload
         * @description Files with their formats and problems, runs with what is missing about them.
         */
        get: operations["get_upload"];
        put?: never;
        post?: never;
        /**
         * Delete an upload for good
         * @description Deletes the upload with its files, and with the runs that were read from it alone, for good.
         */
        delete: operations["delete_upload"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/uploads/{upload_id}/answers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Add facts that the files of an upload do not state
         * @description Verdicts are reached again. A unit scales every latency: the files are read again with it, small
         *     ones at once.
         */
        patch: operations["answer_upload"];
        trace?: never;
    };
    "/api/v1/uploads/{upload_id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try again to read an upload
         * @description Begins again with all attempts. Harmless where nothing failed.
         */
        post: operations["retry_upload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/watches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the organisation watches, with its history
         * @description Each with the verdicts on its latest runs and what became of its alerts.
         */
        get: operations["list_watches"];
        put?: never;
        /**
         * Watch a configuration
         * @description Runs that finish are held against it from now on; finished ones are its history.
         */
        post: operations["make_watch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/watches/{watch_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a watch
         * @description Its history and alerts go with it; runs stay.
         */
        delete: operations["end_watch"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/watches/{watch_id}/trend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A watched configuration over its runs: figures, changes of level, what else changed
         * @description The latest 60 runs. A change of level stands out from how much equal runs of this history differ.
         */
        get: operations["get_watch_trend"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/watches/{watch_id}/trial": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a trial alert
         * @description By every channel of the watch. The list shows the result soon. Counted like other mails.
         */
        post: operations["try_watch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/work/given-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What was tried too often and is tried no more
         * @description The organisation's own. `POST …/retry` of the run or upload has it tried again.
         */
        get: operations["list_given_up_work"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the process lives
         * @description Answers as long as the process does.
         */
        get: operations["health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Figures of the processes behind the port and of the installation, for Prometheus
         * @description Metrics in the text format of Prometheus, for the operator: by the operator's token, or without a token
         *     on the machine itself.
         */
        get: operations["metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the process can do its work
         * @description Asks the database, the schema and Valkey.
         */
        get: operations["readiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/shared/{secret}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The run that a link leads to
         * @description Its report as a page. Needs no credentials: the address is the secret.
         */
        get: operations["follow_link"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/shared/{secret}/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The report, chart or badge of the run that a link leads to
         * @description Pictures may be shown by pages elsewhere.
         */
        get: operations["follow_link_to"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * AbsentSourceOut
         * @description A source that offered nothing.
         */
        AbsentSourceOut: {
            /** Reason */
            reason: string;
            /**
             * Source
             * @description smart, extended, latency_monitor, volume, ata or kernel
             */
            source: string;
        };
        /**
         * AccountOut
         * @description The account of the caller.
         */
        AccountOut: {
            /** Organisations */
            organisations: components["schemas"]["MembershipOut"][];
            person: components["schemas"]["PersonOut"];
        };
        /**
         * AddedOut
         * @description At one quantile of the whole.
         */
        AddedOut: {
            /** Contradicts */
            contradicts: boolean;
            /**
             * Least Ns
             * @description the hop's own quantile, whatever the dependence
             */
            least_ns: number;
            /**
             * Lower Ns
             * @description difference at equal quantiles; below 0: the inner is slower
             */
            lower_ns: number | null;
            /** Most Ns */
            most_ns: number | null;
            /** Quantile */
            quantile: number;
            /** Upper Ns */
            upper_ns: number | null;
        };
        /**
         * AgainstOut
         * @description A quantity of the new run among those of its history.
         */
        AgainstOut: {
            /**
             * Effect
             * @enum {string}
             */
            effect: "better" | "worse" | "same" | "open";
            /**
             * Lower
             * @description between this and `upper` it would lie by chance
             */
            lower: number;
            /** Quantity */
            quantity: string;
            /**
             * Runs
             * @description of the present level
             */
            runs: number;
            /** Upper */
            upper: number;
            /** Value */
            value: number;
        };
        /**
         * AgentVersion
         * @description Which agent measured.
         */
        AgentVersion: {
            /** @default null */
            commit: string | null;
            /** Format: line */
            version: string;
        };
        /**
         * AgentVersionIn
         * @description Which agent asks.
         */
        AgentVersionIn: {
            /** Commit */
            commit?: string | null;
            /**
             * Version
             * Format: line
             */
            version: string;
        };
        /**
         * AgentVersionOut
         * @description One version of agents.
         */
        AgentVersionOut: {
            /**
             * Last At
             * Format: date-time
             */
            last_at: string;
            /**
             * Runs
             * @description runs that it measured in the last 30 days
             */
            runs: number;
            /**
             * Serving
             * @description agents of it that asked for work in the last 30 days
             */
            serving: number;
            /** Version */
            version: string;
        };
        /**
         * AlertOut
         * @description An alert, and what became of it.
         */
        AlertOut: {
            /**
             * Alert Id
             * Format: uuid
             */
            alert_id: string;
            /** Attempts */
            attempts: number;
            /**
             * Channel
             * @enum {string}
             */
            channel: "webhook" | "email";
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Delivered At */
            delivered_at: string | null;
            /**
             * Error
             * @description why the last attempt failed
             */
            error: string | null;
            /** Text */
            text: string;
        };
        /**
         * Announcement
         * @description Body of `POST /api/v1/runs`; what an older agent does not send is left out of its canonical form.
         */
        Announcement: {
            agent: components["schemas"]["AgentVersion"];
            host: Record<string, never>;
            plan: Record<string, never>;
            planned_duration_ns: number;
            run_id: string;
            /** @default null */
            started_at_uncertainty_ns: number | null;
            started_at_unix_ns: number;
            /** Format: line */
            title: string;
            /** @enum {unknown} */
            workload: "act-storage" | "fraud" | "fraud-transaction" | "keyvalue" | "qualify" | "sync-write" | "ycsb";
        };
        /**
         * AnnouncementAnswer
         * @description Answer to an announcement.
         */
        AnnouncementAnswer: {
            /** @enum {unknown} */
            directive: "continue" | "stop";
            run_id: string;
        };
        /**
         * AskedOut
         * @description What happens next; the same whether or not the address has an account.
         */
        AskedOut: {
            /** Detail */
            detail: string;
        };
        /**
         * BackupOut
         * @description The last backup that was written to its end.
         */
        BackupOut: {
            /** Dump Bytes */
            dump_bytes: number;
            /** Files Bytes */
            files_bytes: number;
            /** Files Missing */
            files_missing: number;
            /**
             * Made At
             * Format: date-time
             */
            made_at: string;
        };
        /**
         * BaselineComparisonOut
         * @description A run against the runs of a branch.
         */
        BaselineComparisonOut: {
            /**
             * Base Run Id
             * Format: uuid
             * @description the latest run of the branch
             */
            base_run_id: string;
            /**
             * Basis
             * @description what the verdict rests on
             * @enum {string}
             */
            basis: "history" | "runs" | "latest_run";
            /** Branch */
            branch: string;
            /** @description against the latest run alone */
            comparison: components["schemas"]["ComparisonOut"];
            /**
             * Headline
             * @description the answer in a sentence
             */
            headline: string;
            /**
             * History
             * @description empty: too few runs, or ones that timed something else
             */
            history: components["schemas"]["AgainstOut"][];
            verdict: components["schemas"]["Outcome"];
            /**
             * Watch Id
             * Format: uuid
             */
            watch_id: string;
        };
        /**
         * Batch
         * @description Body of `POST /api/v1/runs/{run_id}/intervals`.
         */
        Batch: {
            intervals: components["schemas"]["Interval"][];
            series: components["schemas"]["SeriesDefinition"][];
        };
        /**
         * BatchAnswer
         * @description Answer to a batch: acknowledged and missing intervals, and whether to continue.
         */
        BatchAnswer: {
            acknowledged: {
                [key: string]: number;
            };
            /** @enum {unknown} */
            directive: "continue" | "stop";
            missing: components["schemas"]["Missing"][];
        };
        /**
         * BracketEffect
         * @description What two stated brackets of one objective show of each other.
         * @enum {string}
         */
        BracketEffect: "lower" | "higher" | "not shown";
        /**
         * BudgetChoiceIn
         * @description Which budget: one by its name (newest version unless one is named), a document sent along, or an
         *     objective in one line.
         */
        BudgetChoiceIn: {
            /** Document */
            document?: (components["schemas"]["TransactionDocument"] | components["schemas"]["ExceedanceDocument"] | components["schemas"]["PercentileDocument"] | components["schemas"]["ThroughputDocument"] | components["schemas"]["CompletionDocument"] | components["schemas"]["RuleSetDocument"]) | null;
            /** Name */
            name?: string | null;
            /** Objective */
            objective?: string | null;
            /** Version */
            version?: number | null;
        };
        /**
         * BudgetEchoOut
         * @description The budget that was judged, as it was understood.
         */
        BudgetEchoOut: {
            /** Document */
            document: components["schemas"]["TransactionDocument"] | components["schemas"]["ExceedanceDocument"] | components["schemas"]["PercentileDocument"] | components["schemas"]["ThroughputDocument"] | components["schemas"]["CompletionDocument"] | components["schemas"]["RuleSetDocument"];
        };
        /**
         * BudgetIn
         * @description A budget to keep, or a new version of one.
         */
        BudgetIn: {
            /**
             * Applies To
             * @description workloads whose runs are judged by it from now on; none: only asked about on demand
             */
            applies_to?: string[];
            /** Document */
            document: components["schemas"]["TransactionDocument"] | components["schemas"]["ExceedanceDocument"] | components["schemas"]["PercentileDocument"] | components["schemas"]["ThroughputDocument"] | components["schemas"]["CompletionDocument"] | components["schemas"]["RuleSetDocument"];
        };
        /**
         * BudgetItemOut
         * @description One version of one budget.
         */
        BudgetItemOut: {
            /**
             * Applies To
             * @description workloads whose runs are judged by it
             */
            applies_to: string[];
            /** Built In */
            built_in: boolean;
            /**
             * Created At
             * @description null for built-in budgets
             */
            created_at: string | null;
            /** Document */
            document: components["schemas"]["TransactionDocument"] | components["schemas"]["ExceedanceDocument"] | components["schemas"]["PercentileDocument"] | components["schemas"]["ThroughputDocument"] | components["schemas"]["CompletionDocument"] | components["schemas"]["RuleSetDocument"];
            /**
             * Is Newest
             * @description no later version of the same name is on record
             */
            is_newest: boolean;
        };
        /**
         * BudgetOut
         * @description The SLA that was judged.
         */
        BudgetOut: {
            /** Name */
            name: string;
            /** Question */
            question: string;
            /** Title */
            title: string;
            /** Version */
            version: number;
        };
        /**
         * BudgetsOut
         * @description Every budget that may be asked about: built-in ones first, then the organisation's own by name.
         */
        BudgetsOut: {
            /** Items */
            items: components["schemas"]["BudgetItemOut"][];
            /**
             * Json Schema
             * @description JSON schema of a budget document
             */
            json_schema: {
                [key: string]: unknown;
            };
        };
        /**
         * BurnAlertOut
         * @description A rule of two windows, and when it would have fired first.
         */
        BurnAlertOut: {
            /** Fired Ns */
            fired_ns: number | null;
            /** Long Ns */
            long_ns: number;
            /** Rate */
            rate: number;
            /** Reason */
            reason: string | null;
            /** Severity */
            severity: string;
            /** Short Ns */
            short_ns: number;
        };
        /**
         * BurnOut
         * @description Use of the run's own error budget; the period is the run.
         */
        BurnOut: {
            /** Alerts */
            alerts: components["schemas"]["BurnAlertOut"][];
            /** Bad Count */
            bad_count: number | null;
            /**
             * Budget Count
             * @description operations that may be bad
             */
            budget_count: number | null;
            /**
             * Consumed Ratio
             * @description used up by then, as a part of the run's budget
             */
            consumed_ratio: number[];
            /**
             * End Ns
             * @description thinned out; ends of slices
             */
            end_ns: number[];
            /** Exhausted Ns */
            exhausted_ns: number | null;
            /** Fastest */
            fastest: components["schemas"]["FastestBurnOut"][];
            /**
             * Rate
             * @description 1 uses the budget up exactly
             */
            rate: number | null;
            /** Reason */
            reason: string | null;
            /** Total Count */
            total_count: number | null;
        };
        /**
         * CampaignAgentOut
         * @description One agent of a campaign.
         */
        CampaignAgentOut: {
            /**
             * Agent Id
             * Format: uuid
             */
            agent_id: string;
            /** Clock Error Ns */
            clock_error_ns: number | null;
            /** Lost At */
            lost_at: string | null;
            /** Name */
            name: string;
            /** Phase */
            phase: number | null;
            /** Reason */
            reason: string | null;
            /**
             * Runs
             * @description its run of each phase, by the phase's number
             */
            runs: {
                [key: string]: string;
            };
            /**
             * Seen At
             * Format: date-time
             */
            seen_at: string;
            /**
             * State
             * @enum {string}
             */
            state: "offered" | "active" | "lost" | "done";
            /** Step */
            step: ("preparing" | "ready" | "loading" | "armed" | "running" | "ended" | "failed") | null;
            /** Version */
            version: string;
        };
        /**
         * CampaignIn
         * @description A campaign to begin.
         */
        CampaignIn: {
            /** Agents */
            agents: string[];
            /**
             * Objectives
             * @description that its phases are judged by
             */
            objectives?: string[];
            /**
             * On Lost
             * @description what becomes of it when an agent is lost
             * @default end
             * @enum {string}
             */
            on_lost: "end" | "degrade";
            /**
             * Plan
             * Format: text
             * @description as for `tailroom-agent explain`: TOML, or a property file of YCSB
             */
            plan: string;
            /**
             * Seed
             * @default 1
             */
            seed: number;
            /**
             * Target
             * Format: line
             * @description the server, as every agent reaches it; without a password
             */
            target: string;
            /**
             * Title
             * Format: name
             */
            title: string;
        };
        /**
         * CampaignOut
         * @description A campaign.
         */
        CampaignOut: {
            /** Agents */
            agents: components["schemas"]["CampaignAgentOut"][];
            /**
             * Campaign Id
             * Format: uuid
             */
            campaign_id: string;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Ended At */
            ended_at: string | null;
            /** Objectives */
            objectives: string[];
            /**
             * On Lost
             * @enum {string}
             */
            on_lost: "end" | "degrade";
            /** Outcome */
            outcome: ("completed" | "stopped" | "failed") | null;
            /** Phases */
            phases: components["schemas"]["CampaignPhaseOut"][];
            /** Plan */
            plan: string;
            /** Reason */
            reason: string | null;
            /** Repeat Of */
            repeat_of: string | null;
            /** Seed */
            seed: number;
            /**
             * State
             * @enum {string}
             */
            state: "preparing" | "loading" | "running" | "ended";
            /** Stop Requested */
            stop_requested: boolean;
            /** Target */
            target: string;
            /** Title */
            title: string;
        };
        /**
         * CampaignPhaseOut
         * @description One phase of a campaign.
         */
        CampaignPhaseOut: {
            /** Agents */
            agents: string[];
            /**
             * Apart Ns
             * @description by clocks alone, two agents begin no further apart
             */
            apart_ns: number | null;
            /** Duration S */
            duration_s: number | null;
            /**
             * Kind
             * @enum {string}
             */
            kind: "load" | "warm-up" | "measure";
            /** Lost */
            lost: components["schemas"]["LostOut"][];
            /**
             * Merged
             * @description agents whose runs are in it
             */
            merged: string[];
            /** Name */
            name: string;
            /** Number */
            number: number;
            /**
             * Operations Per S
             * @description asked of all agents together, by operation; null: as fast as the server answers
             */
            operations_per_s: {
                [key: string]: number | null;
            };
            /** Ramp S */
            ramp_s: number;
            /**
             * Remarks
             * @description what limits what it shows
             */
            remarks: string[];
            /**
             * Run Id
             * @description the run of all agents together
             */
            run_id: string | null;
            /**
             * Start At
             * @description when it begins on every agent
             */
            start_at: string | null;
            /**
             * State
             * @enum {string}
             */
            state: "waiting" | "running" | "ended" | "skipped";
            /**
             * Transactions Per S
             * @description asked of all agents together; null without any
             */
            transactions_per_s: number | null;
        };
        /**
         * CampaignsOut
         * @description The newest campaigns.
         */
        CampaignsOut: {
            /** Campaigns */
            campaigns: components["schemas"]["CampaignOut"][];
        };
        /**
         * Capability
         * @description One thing that a caller may do.
         * @enum {string}
         */
        Capability: "none" | "know-oneself" | "read-run" | "read" | "show" | "ask" | "send" | "serve" | "manage-agents" | "run-campaigns" | "stop" | "upload" | "publish" | "edit-budgets" | "edit-catalogue" | "watch" | "delete" | "retry" | "own-account" | "read-members" | "manage-members" | "manage-tokens" | "read-trail" | "manage-organisation" | "read-mail" | "operate";
        /**
         * CarriedOut
         * @description Subjects beside the load of production.
         */
        CarriedOut: {
            /** Answer */
            answer: string;
            /** Assumptions */
            assumptions: string[];
            budget: components["schemas"]["BudgetEchoOut"];
            load: components["schemas"]["CountedLoadOut"];
            /**
             * Needed Per S
             * @description judged operations in the busiest stretch
             */
            needed_per_s: number;
            /** Operations Per Request */
            operations_per_request: number;
            production: components["schemas"]["SubjectOut"];
            /** Subjects */
            subjects: components["schemas"]["CarriedSubjectOut"][];
        };
        /**
         * CarriedSubjectOut
         * @description One subject: its answer is that of all its tests together.
         */
        CarriedSubjectOut: {
            /**
             * Carried
             * @enum {string}
             */
            carried: "yes" | "no" | "not_shown";
            /** Label */
            label: string;
            /** Subject */
            subject: string;
            /** Tests */
            tests: components["schemas"]["CarriedTestOut"][];
            /** Text */
            text: string;
        };
        /**
         * CarriedTestOut
         * @description One record, at the load at which it was taken.
         */
        CarriedTestOut: {
            /**
             * Carried
             * @enum {string}
             */
            carried: "yes" | "no" | "not_shown";
            /**
             * Measured Per S
             * @description answered operations; null where not on record
             */
            measured_per_s: number | null;
            /** Strength */
            strength: ("proven" | "observed") | null;
            subject: components["schemas"]["SubjectOut"];
            /** Text */
            text: string;
            /**
             * Verdict
             * @enum {string}
             */
            verdict: "PASS" | "FAIL" | "INDETERMINATE";
        };
        /**
         * CarryIn
         * @description Which of these would have carried the load that a run of production counted?
         */
        CarryIn: {
            budget: components["schemas"]["BudgetChoiceIn"];
            /**
             * Operations Per Request
             * @description judged operations that one request of production takes; null: those of one transaction, where the budget is about transactions, else 1
             */
            operations_per_request?: number | null;
            /** @description a stored run with a time course, such as scrapes of Prometheus */
            production: components["schemas"]["SubjectIn"];
            /**
             * Subjects
             * @description `run:ID`, `campaign:ID`, `drive:SLUG` (every tested load) or `publication:SLUG#ROW`
             */
            subjects: string[];
        };
        /**
         * CatalogueItemOut
         * @description A thing of the catalogue with what is stated of it.
         */
        CatalogueItemOut: {
            /** Aliases */
            aliases: string[];
            /**
             * Conflicts
             * @description fields about which sources disagree
             */
            conflicts: string[];
            /** Facts */
            facts: components["schemas"]["FactOut"][];
            /**
             * Kind
             * @enum {string}
             */
            kind: "drive" | "server" | "network" | "database" | "workload";
            /** Name */
            name: string;
            /**
             * Private
             * @description added by your organisation; nobody else sees it
             */
            private: boolean;
            /** Slug */
            slug: string;
            /** Vendor */
            vendor: string;
        };
        /**
         * CatalogueOut
         * @description Everything of one kind.
         */
        CatalogueOut: {
            /** Items */
            items: components["schemas"]["CatalogueItemOut"][];
            /**
             * Kind
             * @enum {string}
             */
            kind: "drive" | "server" | "network" | "database" | "workload";
        };
        /**
         * CauseOut
         * @description A fact of the inventory in which a unit differs from its siblings: a place to look, and no proof.
         */
        CauseOut: {
            /** Name */
            name: string;
            /**
             * Odd Units
             * @description units that stand out and have this value
             */
            odd_units: number;
            /**
             * Same Siblings
             * @description siblings that do not stand out and have the value of the unit
             */
            same_siblings: number;
            /** Siblings */
            siblings: number;
            /**
             * Usual
             * @description the value of most siblings, of measured facts their median
             */
            usual: string;
            /** Value */
            value: string;
        };
        /**
         * CdfPointOut
         * @description Probability that a transaction takes at most `t_ns`.
         */
        CdfPointOut: {
            /** Estimate */
            estimate: number;
            /** Lower */
            lower: number;
            /** T Ns */
            t_ns: number;
            /** Upper */
            upper: number;
        };
        /**
         * CellOut
         * @description One drive at one load.
         */
        CellOut: {
            /**
             * Basis
             * @description what the judgement rests on; null where nothing was tested
             */
            basis: ("every_hour" | "whole_run") | null;
            /**
             * Disagree
             * @description tests of the same load say different things
             */
            disagree: boolean;
            /** Exceedances */
            exceedances: components["schemas"]["ExceedanceRangeOut"][];
            /**
             * Headline
             * @description what was found beside what was asked
             */
            headline: string | null;
            /** Load */
            load: number;
            /** @description in the test; null where tests disagree */
            observed: components["schemas"]["ScopeOut"] | null;
            /** @description for the next test; null where tests disagree */
            proven: components["schemas"]["ScopeOut"] | null;
            /** Publishers */
            publishers: string[];
            /**
             * Reason
             * @description why undecided, or what bounds it
             */
            reason: string | null;
            /**
             * State
             * @enum {string}
             */
            state: "passed" | "failed" | "undecided" | "bounded" | "untested";
            /**
             * Strength
             * @description null where undecided
             */
            strength: ("proven" | "observed") | null;
            /** Test Ids */
            test_ids: string[];
            /**
             * Tested At
             * @description when, as printed, or ISO 8601
             */
            tested_at: string[];
            /**
             * Verdict
             * @description of the judge; null where nothing was tested
             */
            verdict: ("PASS" | "FAIL" | "INDETERMINATE") | null;
            /**
             * Words
             * @description verdict and strength as they are said
             */
            words: string | null;
        };
        /**
         * CertificationDocument
         * @description Every full slice of this length must keep the limits, for this long.
         */
        CertificationDocument: {
            /**
             * Decides
             * @description the verdict itself asks for it; else it stands beside it
             * @default false
             */
            decides: boolean;
            /** Duration Ns */
            duration_ns: number;
            /**
             * Slice Ns
             * @description default: an hour
             * @default 3600000000000
             */
            slice_ns: number;
        };
        /**
         * CertificationOut
         * @description Whether the run was long enough for a certification, and what it would say.
         */
        CertificationOut: {
            /** Measured Duration Ns */
            measured_duration_ns: number;
            /** Reason Text */
            reason_text: string | null;
            /** Required Duration Ns */
            required_duration_ns: number;
            /** Strength */
            strength?: ("proven" | "observed") | null;
            /**
             * Verdict
             * @enum {string}
             */
            verdict: "PASS" | "FAIL" | "INDETERMINATE";
            /** Words */
            words?: string | null;
        };
        /**
         * ChainHopIn
         * @description A run, and the layer that it was measured at.
         */
        ChainHopIn: {
            /**
             * Layer
             * @enum {string}
             */
            layer: "device" | "server" | "database" | "network";
            /**
             * Operation
             * @description by default reads, or what the run has most like them
             */
            operation?: string | null;
            /**
             * Run Id
             * Format: uuid
             */
            run_id: string;
        };
        /**
         * ChainHopOut
         * @description One hop on the common axis.
         */
        ChainHopOut: {
            /**
             * Added
             * @description to the hop inside it; empty for the innermost
             */
            added: components["schemas"]["AddedOut"][];
            /**
             * Clock
             * @enum {string}
             */
            clock: "response" | "service" | "operation" | "queue";
            /** Curve */
            curve: components["schemas"]["QuantilePointOut"][];
            /**
             * Layer
             * @enum {string}
             */
            layer: "device" | "server" | "database" | "network";
            /** Operation */
            operation?: string | null;
            /**
             * Run Id
             * Format: uuid
             */
            run_id: string;
            /** Title */
            title: string;
        };
        /**
         * ChainIn
         * @description Runs that belong together; sending them confirms it.
         */
        ChainIn: {
            /** Hops */
            hops: components["schemas"]["ChainHopIn"][];
            /**
             * Title
             * Format: name
             */
            title: string;
        };
        /**
         * ChainListedOut
         * @description A chain in a list.
         */
        ChainListedOut: {
            /**
             * Chain Id
             * Format: uuid
             */
            chain_id: string;
            /**
             * Confirmed By
             * @enum {string}
             */
            confirmed_by: "person" | "campaign";
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /**
             * Runs
             * @description innermost layer first
             */
            runs: components["schemas"]["ChainRunOut"][];
            /** Title */
            title: string;
        };
        /**
         * ChainOut
         * @description Linked runs on one latency axis.
         */
        ChainOut: {
            /**
             * Chain Id
             * Format: uuid
             */
            chain_id: string;
            /**
             * Confirmed By
             * @enum {string}
             */
            confirmed_by: "person" | "campaign";
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Hops */
            hops: components["schemas"]["ChainHopOut"][];
            /** Notes */
            notes: string[];
            /** Sentence */
            sentence: string;
            /** Title */
            title: string;
            /** Warning */
            warning: string;
        };
        /**
         * ChainRunOut
         * @description A run of a chain, stored or proposed.
         */
        ChainRunOut: {
            /**
             * Layer
             * @enum {string}
             */
            layer: "device" | "server" | "database" | "network";
            /** Operation */
            operation?: string | null;
            /**
             * Run Id
             * Format: uuid
             */
            run_id: string;
            /** Title */
            title: string;
        };
        /**
         * ChainsOut
         * @description The newest chains of the organisation.
         */
        ChainsOut: {
            /** Chains */
            chains: components["schemas"]["ChainListedOut"][];
        };
        /**
         * ClaimOut
         * @description One printed number.
         */
        ClaimOut: {
            /** Conditions */
            conditions: {
                [key: string]: string | boolean | number | null;
            };
            /** Config */
            config: string | null;
            /** Item Slug */
            item_slug: string | null;
            /**
             * Key
             * @description unique in the publication, and stable
             */
            key: string;
            load: components["schemas"]["LoadOut"] | null;
            /** Metric Class */
            metric_class: ("total" | "device" | "unstated") | null;
            /** Operation */
            operation: string | null;
            /** Position */
            position: number;
            printed: components["schemas"]["PrintedNumberOut"];
            /** Quantity */
            quantity: string;
            /** Row */
            row: string;
            /** Statistic */
            statistic: string | null;
            /** Subject */
            subject: string;
            /** Table */
            table: string;
            /** Threshold Ns */
            threshold_ns: number | null;
            /** Workload */
            workload: string | null;
        };
        /**
         * ClaimRowOut
         * @description Claims that were printed together.
         */
        ClaimRowOut: {
            /** Claims */
            claims: components["schemas"]["ClaimOut"][];
            /** Item Slug */
            item_slug: string | null;
            /** Label */
            label: string | null;
            /** Row */
            row: string;
            /** Subject */
            subject: string;
            /** Test Date As Printed */
            test_date_as_printed: string | null;
        };
        /**
         * ClaimTableOut
         * @description A table of the document, or what its text says about one thing.
         */
        ClaimTableOut: {
            /** Id */
            id: string;
            /** Note */
            note: string | null;
            /** Rows */
            rows: components["schemas"]["ClaimRowOut"][];
            /**
             * Title
             * @description as printed, or in our words where it has none
             */
            title: string;
            /** Title As Printed */
            title_as_printed: string | null;
        };
        /**
         * ClockOut
         * @description The clock of this installation.
         */
        ClockOut: {
            /** Unix Ns */
            unix_ns: number;
        };
        /**
         * CommandOut
         * @description A command and its signature.
         */
        CommandOut: {
            /** Signature */
            signature: string;
            /** Text */
            text: string;
        };
        /**
         * ComparabilityNoteOut
         * @description Two rows that may not be put in one order, and why.
         */
        ComparabilityNoteOut: {
            /**
             * Reasons
             * @description each begins “not comparable because”
             */
            reasons: string[];
            /** Row Ids */
            row_ids: [
                string,
                string
            ];
        };
        /**
         * ComparabilityOut
         * @description Every pair of the tests that were named.
         */
        ComparabilityOut: {
            /** Pairs */
            pairs: components["schemas"]["ComparabilityPairOut"][];
            /** Tests */
            tests: components["schemas"]["DriveTestOut"][];
        };
        /**
         * ComparabilityPairOut
         * @description Whether two tests may be put in one order.
         */
        ComparabilityPairOut: {
            /** Comparable */
            comparable: boolean;
            /** First */
            first: string;
            /**
             * Reasons
             * @description each begins “not comparable because”; empty where comparable
             */
            reasons: string[];
            /** Second */
            second: string;
            /** Warnings */
            warnings: string[];
        };
        /**
         * ComparedGainOut
         * @description One quantity of both sides, between which `new / base` lies, and what that shows.
         */
        ComparedGainOut: {
            /** Base */
            base: number;
            /** Base Lower */
            base_lower: number;
            /** Base Upper */
            base_upper: number | null;
            /**
             * Better
             * @enum {string}
             */
            better: "higher" | "lower";
            /**
             * Effect
             * @enum {string}
             */
            effect: "better" | "worse" | "same" | "open";
            /** Label */
            label: string;
            /** New */
            new: number;
            /** New Lower */
            new_lower: number;
            /** New Upper */
            new_upper: number | null;
            /** Quantity */
            quantity: string;
            /**
             * Ratio Lower
             * @description with chance; null: open or not known
             */
            ratio_lower: number | null;
            /**
             * Ratio Text
             * @description the same, with chance where that is known, rounded outward
             */
            ratio_text: string;
            /** Ratio Upper */
            ratio_upper: number | null;
            /**
             * Record Ratio Lower
             * @description by buckets and printed digits alone
             */
            record_ratio_lower: number | null;
            /** Record Ratio Upper */
            record_ratio_upper: number | null;
            /** Significant */
            significant: boolean;
            /**
             * Why
             * @description why there are no limits
             */
            why: string | null;
        };
        /**
         * ComparedSearchesOut
         * @description Searches side by side.
         */
        ComparedSearchesOut: {
            /**
             * Searches
             * @description in the order of the runs; null: the run is no probe of a search
             */
            searches: (components["schemas"]["ComparedSearchOut"] | null)[];
        };
        /**
         * ComparedSearchOut
         * @description The bracket of a search beside that of the first.
         */
        ComparedSearchOut: {
            /** @description lower: this stated bracket lies wholly below the first; null: the first, or another objective */
            effect: components["schemas"]["BracketEffect"] | null;
            /**
             * Effect Text
             * @description the same as a sentence, or why there is none
             */
            effect_text: string | null;
            /** Failed Per S */
            failed_per_s: number | null;
            /** Objective */
            objective: string;
            /** Passed Per S */
            passed_per_s: number | null;
            /**
             * Run Id
             * Format: uuid
             * @description the probe that was named
             */
            run_id: string;
            /** Search Id */
            search_id: string;
            /** Surely Failed Per S */
            surely_failed_per_s: number | null;
            /** Surely Passed Per S */
            surely_passed_per_s: number | null;
            /**
             * Text
             * @description the bracket in one sentence
             */
            text: string;
        };
        /**
         * ComparedSubjectOut
         * @description One of the things compared.
         */
        ComparedSubjectOut: {
            /**
             * Clock
             * @enum {string}
             */
            clock: "response" | "service" | "operation" | "queue";
            /**
             * Counters
             * @description what the counters of its drives say; each figure holds for all of them
             * @default []
             */
            counters: components["schemas"]["CounterFigureOut"][];
            /** Curve */
            curve: components["schemas"]["QuantilePointOut"][];
            /** Drive Slug */
            drive_slug?: string | null;
            /**
             * Drives
             * @description on how many drives of one server the load was
             */
            drives?: number | null;
            /**
             * Fails Load
             * @description lowest failed load above it; null: never failed
             */
            fails_load?: number | null;
            /**
             * Holds Load
             * @description highest passed load under its conditions
             */
            holds_load?: number | null;
            /**
             * In Flight Lower
             * @description operations at once, by Little's law
             */
            in_flight_lower?: number | null;
            /** In Flight Upper */
            in_flight_upper?: number | null;
            /** Label */
            label: string;
            /**
             * Load Multiple
             * @description of a drive: the load of that test
             */
            load_multiple?: number | null;
            /** Measured Ns */
            measured_ns: number | null;
            /**
             * Note
             * @description what published figures leave open
             */
            note?: string | null;
            /**
             * Operation
             * @description what its own source calls it
             */
            operation: string;
            /** Publication Row */
            publication_row?: string | null;
            /** Publication Slug */
            publication_slug?: string | null;
            /**
             * Run Id
             * @description the run, also that of a campaign's phase or drive's test
             */
            run_id?: string | null;
            /**
             * Samples
             * @description null where the source does not say
             */
            samples: number | null;
            /**
             * Source
             * @enum {string}
             */
            source: "run" | "publication" | "drive";
            /** Started At */
            started_at?: string | null;
            /**
             * Subject
             * @description as named in the request
             */
            subject: string;
            /**
             * Target Per S
             * @description operations a second that the schedule intended
             */
            target_per_s: number | null;
            /**
             * Test Text
             * @description of a drive: which of its tests is compared
             */
            test_text?: string | null;
        };
        /**
         * ComparisonOut
         * @description Subjects side by side.
         */
        ComparisonOut: {
            /**
             * Answer
             * @description first sentence of drives, and of several drives in one server
             */
            answer: string | null;
            /**
             * Load
             * @description of drives: that of the base's test
             */
            load: number | null;
            /**
             * Loads
             * @description at which every drive was tested
             */
            loads: number[];
            /** Method Version */
            method_version: number;
            /** Operation */
            operation: string;
            /**
             * Operations
             * @description all that every subject has
             */
            operations: string[];
            /** Pairs */
            pairs: components["schemas"]["PairOut"][];
            /** Per Drive */
            per_drive: boolean;
            /**
             * Phase
             * @description of campaigns: the one that is compared
             */
            phase: string | null;
            /**
             * Phases
             * @description all that every campaign has
             */
            phases: string[];
            /**
             * Smallest Change Ratio
             * @description a smaller difference counts as none
             */
            smallest_change_ratio: number;
            /** Subjects */
            subjects: components["schemas"]["ComparedSubjectOut"][];
        };
        /**
         * CompletionDocument
         * @description The run must reach its end at its load, however slow single operations are.
         */
        CompletionDocument: {
            /** Duration Ns */
            duration_ns: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "completion";
            /**
             * Name
             * Format: lookup
             * @description lower-case words joined by hyphens
             */
            name: string;
            /**
             * Question
             * Format: text
             * @default
             */
            question: string;
            /**
             * Title
             * Format: name
             * @default
             */
            title: string;
            /**
             * Version
             * @default 1
             */
            version: number;
        };
        /**
         * ComplianceOut
         * @description Full hours, one by one, against the limit.
         */
        ComplianceOut: {
            /** First Violation Ns */
            first_violation_ns: number | null;
            /** Hours */
            hours: number;
            /** Kept Ratio */
            kept_ratio: number | null;
            /** Longest Violation Hours */
            longest_violation_hours: number | null;
            /** Reason */
            reason: string | null;
        };
        /**
         * CountedLoadOut
         * @description The load that production counted.
         */
        CountedLoadOut: {
            /** Busiest Duration Ns */
            busiest_duration_ns: number;
            /**
             * Busiest Per S
             * @description mean of the busiest stretch
             */
            busiest_per_s: number;
            /**
             * Busiest Start Ns
             * @description since the start of the record
             */
            busiest_start_ns: number;
            /** Mean Per S */
            mean_per_s: number;
            /** Stretches */
            stretches: number;
            /** Text */
            text: string;
        };
        /**
         * CounterFigureOut
         * @description A figure between two bounds; null where it is not known, and then `reason` says why.
         */
        CounterFigureOut: {
            /** Key */
            key: string;
            /** Label */
            label: string;
            /** Lower */
            lower: number | null;
            /** Reason */
            reason: string | null;
            /** Source */
            source: string | null;
            /**
             * Text
             * @description the bounds with their unit, rounded outward, or why it is not known
             */
            text: string;
            /** Unit */
            unit: string;
            /** Upper */
            upper: number | null;
        };
        /**
         * CountersAtLoadOut
         * @description Figures of the drives' own counters at one load: the highest held, where that was read.
         */
        CountersAtLoadOut: {
            /**
             * Figures
             * @description each with bounds that hold for all drives and tests
             */
            figures: components["schemas"]["CounterFigureOut"][];
            /** Load */
            load: number;
        };
        /**
         * CourseOut
         * @description The course of a run.
         */
        CourseOut: {
            /** Method Version */
            method_version: number;
            /** Operations */
            operations: components["schemas"]["OperationCourseOut"][];
            /**
             * Provisional
             * @description the run still goes on, or parts of it have not arrived
             */
            provisional: boolean;
            /**
             * Run Id
             * Format: uuid
             */
            run_id: string;
        };
        /**
         * CriterionOut
         * @description One criterion of a rule set.
         */
        CriterionOut: {
            /**
             * Decided By
             * @description the cheapest data that would decide or prove it; null where it is proven
             */
            decided_by: string | null;
            /** @description bounds of the record beside what was asked */
            headline?: components["schemas"]["HeadlineOut"] | null;
            /**
             * Kind
             * @enum {string}
             */
            kind: "transaction" | "exceedance" | "percentile" | "throughput" | "completion" | "rule_set";
            /** @description of a verdict that is not proven; else null */
            meter?: components["schemas"]["EvidenceMeterOut"] | null;
            /**
             * N Guaranteed
             * @description largest count of the one stage that fits for certain
             */
            n_guaranteed: number | null;
            /**
             * N Possible
             * @description … at best; null also where there is no limit
             */
            n_possible: number | null;
            /**
             * N Text
             * @description both as a person reads them; null where nothing is known
             */
            n_text: string | null;
            /** Name */
            name: string;
            /** @description what the record shows */
            observed: components["schemas"]["ScopeOut"];
            /** P Estimate */
            p_estimate: number | null;
            /**
             * P Lower
             * @description least that buckets and model allow, before sampling error
             */
            p_lower: number | null;
            /** P Upper */
            p_upper: number | null;
            /** @description what it proves for the next run, with 95 % confidence */
            proven: components["schemas"]["ScopeOut"];
            /**
             * Reason
             * @description why it is undecided
             */
            reason: ("resolution" | "samples" | "dependence" | "duration" | "generator" | "metadata") | null;
            /** Reason Text */
            reason_text: string | null;
            /**
             * Room Lower Ns
             * @description left of the window at the objective's quantile, for certain
             */
            room_lower_ns: number | null;
            /** Room Upper Ns */
            room_upper_ns: number | null;
            /**
             * Strength
             * @description how far it carries; null where undecided
             */
            strength: ("proven" | "observed") | null;
            /**
             * Unproven
             * @description why an observed verdict is not proven
             */
            unproven: ("resolution" | "samples" | "dependence" | "duration" | "generator" | "metadata") | null;
            /**
             * Verdict
             * @enum {string}
             */
            verdict: "PASS" | "FAIL" | "INDETERMINATE";
            /**
             * Words
             * @description verdict and strength as a person reads them
             */
            words: string;
        };
        /**
         * CurveOut
         * @description Quantiles of one operation on one clock, dense towards 1, none beyond 1 − 1/n.
         */
        CurveOut: {
            /**
             * Clock
             * @enum {string}
             */
            clock: "response" | "service" | "operation" | "queue";
            /**
             * Count
             * @description null where the source does not say
             */
            count: number | null;
            /** Max Ns */
            max_ns: number | null;
            /** Miss Count */
            miss_count: number;
            /** Operation */
            operation: string;
            /** Points */
            points: components["schemas"]["QuantilePointOut"][];
            /**
             * Printed
             * @description of uploaded files: what their tool says of it
             */
            printed: components["schemas"]["PrintedOut"][];
        };
        /**
         * DaysIn
         * @description Days that an owner wants; null: as long as the installation stores.
         */
        DaysIn: {
            /** Interval Days */
            interval_days?: number | null;
            /** Minute Days */
            minute_days?: number | null;
            /** Raw File Days */
            raw_file_days?: number | null;
            /** Tick Days */
            tick_days?: number | null;
        };
        /**
         * DaysOut
         * @description Days after the last data of a run, of files after they came.
         */
        DaysOut: {
            /** Interval Days */
            interval_days: number | null;
            /** Minute Days */
            minute_days: number | null;
            /** Raw File Days */
            raw_file_days: number | null;
            /** Tick Days */
            tick_days: number | null;
        };
        /**
         * DecisionIn
         * @description The decision of a moderator about a suggestion.
         */
        DecisionIn: {
            /**
             * Reason
             * @description for whoever suggested it
             */
            reason?: string | null;
            /**
             * State
             * @enum {string}
             */
            state: "accepted" | "refused" | "taken-back";
        };
        /**
         * DegradedLevelOut
         * @description A level before or after a degradation.
         */
        DegradedLevelOut: {
            /** End Ns */
            end_ns: number;
            limits: components["schemas"]["ShareLimitsOut"];
            /** Ratio */
            ratio: number;
            /** Start Ns */
            start_ns: number;
        };
        /**
         * DeletionIn
         * @description The name of the organisation that shall be deleted.
         */
        DeletionIn: {
            /**
             * Name
             * Format: lookup
             * @description as it is called now
             */
            name: string;
        };
        /**
         * DeletionOut
         * @description Whether the organisation is to be deleted.
         */
        DeletionOut: {
            /**
             * Due At
             * @description when, ISO 8601 in UTC; null: it stays
             */
            due_at: string | null;
        };
        /**
         * DeviationOut
         * @description One quantity of a unit against its siblings.
         */
        DeviationOut: {
            /**
             * Effect
             * @enum {string}
             */
            effect: "better" | "worse" | "same" | "open";
            /**
             * Label
             * @description the quantity in words, such as p99
             */
            label: string;
            /** Quantity */
            quantity: string;
            /**
             * Ratio
             * @description null where the siblings have none of it
             */
            ratio: number | null;
            /** Ratio Lower */
            ratio_lower: number | null;
            /** Ratio Upper */
            ratio_upper: number | null;
            /**
             * Siblings
             * @description geometric mean of the siblings; of failed operations their median
             */
            siblings: number;
            /** Value */
            value: number;
        };
        /**
         * DeviceFiguresOut
         * @description One of several devices of a run, by itself.
         */
        DeviceFiguresOut: {
            /** Device */
            device: string;
            /** Operations */
            operations: components["schemas"]["MeasuredOut"][];
        };
        /**
         * DeviceOut
         * @description The busiest interval of a device, as it is printed.
         */
        DeviceOut: {
            /** Busy Percent Max */
            busy_percent_max: string | null;
            /** Device */
            device: string;
            /** Queue Length Max */
            queue_length_max: string | null;
        };
        /**
         * DisclosedOut
         * @description A fact that a person added; the file does not state it.
         */
        DisclosedOut: {
            /**
             * Answered At
             * Format: date-time
             */
            answered_at: string;
            /** Field */
            field: string;
            /** Label */
            label: string;
            /** Value */
            value: string | number | boolean;
        };
        /**
         * DisclosureIn
         * @description Answers by the field that they are about.
         */
        DisclosureIn: {
            /**
             * Answers
             * @description null takes an answer back
             */
            answers: {
                [key: string]: string | number | boolean | null;
            };
        };
        /**
         * DisclosureOut
         * @description How much of what must be disclosed was disclosed.
         */
        DisclosureOut: {
            /**
             * Disclosed
             * @description added by a person, not stated by the measurement
             */
            disclosed: components["schemas"]["DisclosedOut"][];
            /** Given Count */
            given_count: number;
            /** Missing */
            missing: components["schemas"]["MissingDisclosure"][];
            /** Required Count */
            required_count: number;
        };
        /**
         * DriftOut
         * @description Slow trend of a share in percentage points per hour, with two-sided 95 % limits.
         */
        DriftOut: {
            /**
             * Is Shown
             * @description the trend is more than chance (p < 0.05)
             */
            is_shown: boolean;
            /** P Value */
            p_value: number | null;
            /** Reason */
            reason: string | null;
            /** Slope Lower */
            slope_lower: number | null;
            /** Slope Per Hour */
            slope_per_hour: number | null;
            /** Slope Upper */
            slope_upper: number | null;
        };
        /**
         * DriveCounters
         * @description The counters of every measured drive.
         */
        DriveCounters: {
            drives: components["schemas"]["MeasuredDrive"][];
            /** @enum {unknown} */
            version: 1;
            /** @default [] */
            without_disk: string[];
        };
        /**
         * DriveCountersOut
         * @description The counters of all drives of a run.
         */
        DriveCountersOut: {
            /** Drives */
            drives: components["schemas"]["MeasuredDriveOut"][];
            /**
             * Reason
             * @description why there are no counters
             */
            reason: string | null;
            /**
             * Run Id
             * Format: uuid
             */
            run_id: string;
            /**
             * Without Disk
             * @description measured files without a disk of their own below them
             */
            without_disk: string[];
        };
        /**
         * DriveFactOut
         * @description A fact about a drive with where it comes from; facts that disagree are all here.
         */
        DriveFactOut: {
            /** As Printed */
            as_printed: string | null;
            /** Capacity Bytes */
            capacity_bytes: number | null;
            /** Conditions */
            conditions: {
                [key: string]: unknown;
            } | null;
            /**
             * Disagrees
             * @description another source says something else about the same field
             */
            disagrees: boolean;
            /** Field */
            field: string;
            /** Lower */
            lower: number | null;
            /**
             * Source
             * @description where it was read
             */
            source: {
                [key: string]: unknown;
            } | null;
            /** Unit */
            unit: string | null;
            /** Upper */
            upper: number | null;
            /** Value */
            value: number | null;
            /** Value Text */
            value_text: string | null;
        };
        /**
         * DriveIn
         * @description A drive of your own. Only your organisation sees it.
         */
        DriveIn: {
            /**
             * Aliases
             * @default []
             */
            aliases: string[];
            /**
             * Capacities Bytes
             * @default []
             */
            capacities_bytes: number[];
            /**
             * Endurance
             * @description drive writes per day
             */
            endurance?: number | null;
            /** Flash */
            flash?: string | null;
            /** Form Factor */
            form_factor?: string | null;
            /** Interface */
            interface?: string | null;
            /**
             * Is Another
             * @description it is none of the drives that were named as likely the same
             * @default false
             */
            is_another: boolean;
            /**
             * Name
             * Format: name
             */
            name: string;
            /**
             * Power
             * @description watts
             */
            power?: number | null;
            price?: components["schemas"]["PriceIn"] | null;
            /**
             * Random Read
             * @description operations per second
             */
            random_read?: number | null;
            /**
             * Random Write
             * @description operations per second
             */
            random_write?: number | null;
            /**
             * Read Latency
             * @description nanoseconds
             */
            read_latency?: number | null;
            /**
             * Sequential Read
             * @description bytes per second
             */
            sequential_read?: number | null;
            /**
             * Sequential Write
             * @description bytes per second
             */
            sequential_write?: number | null;
            /**
             * Source
             * Format: name
             * @description where the facts come from: a data sheet, an address, your own word
             */
            source: string;
            /**
             * Vendor
             * Format: name
             */
            vendor: string;
            /**
             * Write Latency
             * @description nanoseconds
             */
            write_latency?: number | null;
        };
        /**
         * DriveMatchOut
         * @description A drive that goes by what was searched for.
         */
        DriveMatchOut: {
            /** Capacities Bytes */
            capacities_bytes: number[];
            /** Form Factor */
            form_factor: string | null;
            /** Interface */
            interface: string | null;
            /**
             * Matched
             * @description the spelling that matched; null where nothing was searched for
             */
            matched: string | null;
            /** Name */
            name: string;
            /** Private */
            private: boolean;
            /** Slug */
            slug: string;
            /** Vendor */
            vendor: string;
        };
        /**
         * DriveNameOut
         * @description A drive of the catalogue.
         */
        DriveNameOut: {
            /** Name */
            name: string;
            /** Slug */
            slug: string;
            /** Vendor */
            vendor: string;
        };
        /**
         * DrivePageOut
         * @description Everything on record about a drive.
         */
        DrivePageOut: {
            /** Aliases */
            aliases: string[];
            /** Comparability */
            comparability: components["schemas"]["ComparabilityNoteOut"][];
            /** Curves */
            curves: components["schemas"]["LoadCurveOut"][];
            drive: components["schemas"]["DriveNameOut"];
            /** Facts */
            facts: components["schemas"]["DriveFactOut"][];
            /** Form Factor */
            form_factor: string | null;
            /** Interface */
            interface: string | null;
            /** Kind */
            kind: string;
            /** Loads */
            loads: number[];
            /** Method Version */
            method_version: number;
            /** Notes */
            notes: string[];
            /**
             * Rows
             * @description ratings under every set of conditions
             */
            rows: components["schemas"]["LeaderboardRowOut"][];
            rule_set: components["schemas"]["RatingRuleSetOut"];
            /** Tests */
            tests: components["schemas"]["DriveTestOut"][];
            /** Withdrawn */
            withdrawn: components["schemas"]["WithdrawnTestOut"][];
        };
        /**
         * DriveReading
         * @description The counters of a drive at one moment, by name. `at_ns` counts from the start of the run.
         */
        DriveReading: {
            at_ns: number;
            /** @default {} */
            histograms: {
                [key: string]: [
                    number,
                    number,
                    number
                ][];
            };
            /** @enum {unknown} */
            moment: "armed" | "drained" | "end" | "minute" | "start";
            /** @default {} */
            texts: {
                [key: string]: string;
            };
            took_ns: number;
            values: {
                [key: string]: number;
            };
        };
        /**
         * DriveReadingOut
         * @description The counters at one moment. `at_ns` counts from the start of the run.
         */
        DriveReadingOut: {
            /** At Ns */
            at_ns: number;
            /** Moment */
            moment: string;
            /** Texts */
            texts: {
                [key: string]: string;
            };
            /** Values */
            values: {
                [key: string]: number;
            };
        };
        /**
         * DrivesOut
         * @description Drives, best matches first.
         */
        DrivesOut: {
            /** Drives */
            drives: components["schemas"]["DriveMatchOut"][];
        };
        /**
         * DriveTestOut
         * @description One tested load of one drive.
         */
        DriveTestOut: {
            /** Capacity Bytes */
            capacity_bytes: number | null;
            /**
             * Counters
             * @description what the drives' own counters say; each figure holds for all of them
             */
            counters: components["schemas"]["CounterFigureOut"][];
            /** Duration Ns */
            duration_ns: number | null;
            /**
             * Evidence
             * @enum {string}
             */
            evidence: "measured_24h" | "measured" | "uploaded" | "third_party" | "vendor";
            /** Exceedances */
            exceedances: components["schemas"]["TestExceedanceOut"][];
            /** Findings */
            findings: components["schemas"]["TestFindingOut"][];
            /**
             * Firmware
             * @description of the measured drives, where all have the same
             */
            firmware: string | null;
            /**
             * Generation
             * @enum {string}
             */
            generation: "before-2.0" | "2-5" | "6+" | "unstated";
            /** Load */
            load: number;
            /** Load As Printed */
            load_as_printed: string | null;
            /** Mark Notes */
            mark_notes: string[];
            /** Marks */
            marks: ("reviewed" | "reproduced" | "disputed" | "retracted")[];
            /**
             * Metric Class
             * @enum {string}
             */
            metric_class: "total" | "device" | "unstated";
            over_provisioning: components["schemas"]["OverProvisioningOut"];
            /** Record Bytes */
            record_bytes: number | null;
            /** Row Id */
            row_id: string;
            source: components["schemas"]["TestSourceOut"];
            /** Test Id */
            test_id: string;
            /**
             * Tested At
             * @description as printed, or ISO 8601
             */
            tested_at: string | null;
            /** Tool */
            tool: string | null;
            /** Tool Version */
            tool_version: string | null;
            /** Verdicts */
            verdicts: components["schemas"]["TestVerdictOut"][];
            /**
             * Visibility
             * @enum {string}
             */
            visibility: "public" | "private";
        };
        /**
         * EditionChangeOut
         * @description A row that differs between two boards.
         */
        EditionChangeOut: {
            /**
             * After
             * @description null: not on the later board
             */
            after: string | null;
            /**
             * Before
             * @description null: not on the earlier board
             */
            before: string | null;
            /** Capacity Bytes */
            capacity_bytes: number | null;
            drive: components["schemas"]["DriveNameOut"];
            /**
             * Kind
             * @enum {string}
             */
            kind: "added" | "removed" | "rating" | "rank" | "standing";
            /** Row Id */
            row_id: string;
        };
        /**
         * EditionChangesOut
         * @description What has changed from one board to a later one.
         */
        EditionChangesOut: {
            /** Changes */
            changes: components["schemas"]["EditionChangeOut"][];
            /** Since */
            since: string;
            /**
             * Until
             * @description `living`: the board of this moment
             */
            until: string;
            /**
             * Withdrawn
             * @description withdrawn after the earlier board
             */
            withdrawn: components["schemas"]["WithdrawnTestOut"][];
        };
        /**
         * EditionOut
         * @description The public board as it was at one moment; it never changes.
         */
        EditionOut: {
            board: components["schemas"]["LeaderboardOut"];
            /**
             * Made At
             * Format: date-time
             */
            made_at: string;
            /** Name */
            name: string;
        };
        /**
         * EditionsOut
         * @description All editions, the latest first.
         */
        EditionsOut: {
            /** Items */
            items: components["schemas"]["EditionSummaryOut"][];
        };
        /**
         * EditionSummaryOut
         * @description An edition without its rows.
         */
        EditionSummaryOut: {
            /**
             * Content Sha256
             * @description of the body of the edition, byte for byte
             */
            content_sha256: string;
            /**
             * Made At
             * Format: date-time
             */
            made_at: string;
            /**
             * Name
             * @description the quarter, such as `2026-Q4`
             */
            name: string;
            /** Rows */
            rows: number;
        };
        /**
         * EfficiencyOut
         * @description Operations for each joule, which is operations per second for each watt.
         */
        EfficiencyOut: {
            /** Clock */
            clock: string;
            /** From Ns */
            from_ns: number;
            /**
             * Gauge
             * @description processors: counters of energy; sensor: sensors of power
             */
            gauge: string;
            /** Host Name */
            host_name: string;
            /**
             * Observation Id
             * Format: uuid
             */
            observation_id: string;
            /**
             * Of
             * @description what was added up
             */
            of: string[];
            /** Operation */
            operation: string;
            /** Operations Per Joule */
            operations_per_joule: number;
            /** Operations Per S */
            operations_per_s: number;
            /**
             * Seconds
             * @description with a number, of which the mean is taken
             */
            seconds: number;
            /** Until Ns */
            until_ns: number;
            /** Watts */
            watts: number;
        };
        /**
         * ElsewhereOut
         * @description The address that the browser opens next.
         */
        ElsewhereOut: {
            /**
             * Address
             * @description of the provider's page
             */
            address: string;
        };
        /**
         * EmailIn
         * @description A mailbox.
         */
        EmailIn: {
            /**
             * Email
             * Format: email
             */
            email: string;
        };
        /**
         * EndIn
         * @description An observer has ended.
         */
        EndIn: {
            /** Samples */
            samples: number;
        };
        /**
         * EnrolledOut
         * @description What enrolling gives, this once.
         */
        EnrolledOut: {
            /**
             * Agent Id
             * Format: uuid
             */
            agent_id: string;
            /**
             * Credential Id
             * Format: uuid
             * @description what a signature for a short token names
             */
            credential_id: string;
            /**
             * Public Key
             * @description Ed25519, base64: commands are signed with it
             */
            public_key: string;
        };
        /**
         * EnrolmentCodeOut
         * @description A code that lets one agent in, once.
         */
        EnrolmentCodeOut: {
            /** Code */
            code: string;
            /**
             * Expires At
             * Format: date-time
             */
            expires_at: string;
        };
        /**
         * EnrolmentIn
         * @description A machine that becomes an agent.
         */
        EnrolmentIn: {
            /**
             * Code
             * Format: line
             */
            code: string;
            /** Inventory */
            inventory?: {
                [key: string]: unknown;
            };
            /**
             * Name
             * Format: line
             */
            name: string;
            /**
             * Public Key
             * @description Ed25519, base64; the other half stays on the machine
             */
            public_key: string;
            version: components["schemas"]["AgentVersionIn"];
        };
        /**
         * EvaluateIn
         * @description Does this record keep that budget?
         */
        EvaluateIn: {
            budget: components["schemas"]["BudgetChoiceIn"];
            /**
             * Detail
             * @description display: fast enough for a slider, bounds a little wider; full: as verdicts are made
             * @default display
             * @enum {string}
             */
            detail: "display" | "full";
            subject: components["schemas"]["SubjectIn"];
        };
        /**
         * EvaluationOut
         * @description The verdict on one record.
         */
        EvaluationOut: {
            budget: components["schemas"]["BudgetEchoOut"];
            /**
             * Cdf
             * @description band of P(T ≤ t), ascending, up to the window and beyond it
             */
            cdf: components["schemas"]["CdfPointOut"][];
            /**
             * Cdf Model
             * @description model of the band; on the full grid all operations thrown together
             */
            cdf_model?: ("interval_mixture" | "independent") | null;
            /** @description whether the record certifies; told beside it */
            certification: components["schemas"]["CertificationOut"] | null;
            /**
             * Criteria
             * @description of a rule set; else empty
             */
            criteria: components["schemas"]["CriterionOut"][];
            /**
             * Decided By
             * @description the cheapest data that would decide or prove it; null where it is proven
             */
            decided_by: string | null;
            /**
             * Detail
             * @enum {string}
             */
            detail: "display" | "full";
            /**
             * Evidence
             * @description what the verdict rests on
             */
            evidence: ("model" | "measured") | null;
            /**
             * Group
             * @enum {string}
             */
            group: "proven" | "observed" | "undecided" | "too_slow";
            /** @description bounds of the record beside what was asked */
            headline?: components["schemas"]["HeadlineOut"] | null;
            /** @description of a verdict that is not proven; else null */
            meter?: components["schemas"]["EvidenceMeterOut"] | null;
            /** Method Version */
            method_version: number;
            models: components["schemas"]["ModelsOut"];
            /**
             * N Guaranteed
             * @description largest count of the one stage that fits for certain
             */
            n_guaranteed: number | null;
            /**
             * N Possible
             * @description … at best; null also where there is no limit
             */
            n_possible: number | null;
            /**
             * N Text
             * @description both as a person reads them; null where nothing is known
             */
            n_text: string | null;
            /** @description what the record shows */
            observed: components["schemas"]["ScopeOut"];
            /**
             * Operations
             * @description to choose from by `subject.operation`, where the question is about the record's own and several fit; the verdict is INDETERMINATE then
             */
            operations: string[];
            /** P Estimate */
            p_estimate: number | null;
            /**
             * P Lower
             * @description least that buckets and model allow, before sampling error
             */
            p_lower: number | null;
            /**
             * P Lower Confident
             * @description the same, sampling error included
             */
            p_lower_confident: number | null;
            /** P Upper */
            p_upper: number | null;
            /** P Upper Confident */
            p_upper_confident: number | null;
            /** @description what it proves for the next run, with 95 % confidence */
            proven: components["schemas"]["ScopeOut"];
            /**
             * Quantile Lower Ns
             * @description of the objective's quantile of the transaction time
             */
            quantile_lower_ns: number | null;
            /** Quantile Upper Ns */
            quantile_upper_ns: number | null;
            /**
             * Reason
             * @description why it is undecided
             */
            reason: ("resolution" | "samples" | "dependence" | "duration" | "generator" | "metadata") | null;
            /** Reason Text */
            reason_text: string | null;
            /**
             * Resolution Bins
             * @description steps of the grid over the window; fewer make bounds wider
             */
            resolution_bins: number;
            /**
             * Room Lower Ns
             * @description left of the window at the objective's quantile, for certain
             */
            room_lower_ns: number | null;
            /** Room Upper Ns */
            room_upper_ns: number | null;
            /** Rows */
            rows: components["schemas"]["LimitRowOut"][];
            /**
             * Stage
             * @enum {string}
             */
            stage: "preview" | "indicative" | "full";
            /**
             * Strength
             * @description how far it carries; null where undecided
             */
            strength: ("proven" | "observed") | null;
            subject: components["schemas"]["SubjectOut"];
            /**
             * Unproven
             * @description why an observed verdict is not proven
             */
            unproven: ("resolution" | "samples" | "dependence" | "duration" | "generator" | "metadata") | null;
            /** @description null where no latency was judged */
            validity?: components["schemas"]["ValidityOut"] | null;
            /**
             * Verdict
             * @enum {string}
             */
            verdict: "PASS" | "FAIL" | "INDETERMINATE";
            /**
             * Words
             * @description verdict and strength as a person reads them
             */
            words: string;
        };
        /**
         * EvidenceMeterOut
         * @description How much of the evidence there is that would decide or prove a case.
         */
        EvidenceMeterOut: {
            /**
             * Effective
             * @description independent samples so far
             */
            effective: number | null;
            /**
             * Needed
             * @description independent samples that decide at the share seen so far
             */
            needed: number | null;
            /**
             * Share
             * @description 0 to 1: effective / needed; null where nothing says how much
             */
            share: number | null;
            /**
             * Unit
             * @enum {string}
             */
            unit: "operations" | "transactions";
            /**
             * Ways
             * @description the cheapest first
             */
            ways: components["schemas"]["WayOut"][];
        };
        /**
         * ExceedanceAtLoadOut
         * @description The share at the load that most rows of the same conditions have been tested at.
         */
        ExceedanceAtLoadOut: {
            /** Load */
            load: number;
            /** Lower Ratio */
            lower_ratio: number;
            /** Threshold Ns */
            threshold_ns: number;
            /** Upper Ratio */
            upper_ratio: number;
        };
        /**
         * ExceedanceDocument
         * @description Limits on the shares of slow operations.
         */
        ExceedanceDocument: {
            certification?: components["schemas"]["CertificationDocument"] | null;
            /** Clock */
            clock?: ("response" | "service" | "operation" | "queue") | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "exceedance";
            /** Limits */
            limits: components["schemas"]["LimitDocument"][];
            /**
             * Name
             * Format: lookup
             * @description lower-case words joined by hyphens
             */
            name: string;
            /**
             * Operation
             * Format: line
             */
            operation: string;
            /**
             * Question
             * Format: text
             * @default
             */
            question: string;
            /**
             * Title
             * Format: name
             * @default
             */
            title: string;
            /**
             * Version
             * @default 1
             */
            version: number;
        };
        /**
         * ExceedanceOut
         * @description Share of operations at or over a threshold; misses count as over.
         */
        ExceedanceOut: {
            /**
             * Clock
             * @enum {string}
             */
            clock: "response" | "service" | "operation" | "queue";
            /** Confidence */
            confidence: number;
            /**
             * Limit Ratio
             * @description limit of the budget that judges this operation and clock
             */
            limit_ratio: number | null;
            /** Operation */
            operation: string;
            /**
             * Over Count
             * @description most that the record allows
             */
            over_count: number;
            /**
             * Over Count Lower
             * @description least that the record allows; equal where the count is exact
             */
            over_count_lower: number;
            /**
             * Ratio
             * @description null where buckets leave it open
             */
            ratio: number | null;
            /**
             * Ratio Lower
             * @description one-sided lower confidence limit
             */
            ratio_lower: number | null;
            /**
             * Ratio Upper
             * @description one-sided upper confidence limit
             */
            ratio_upper: number | null;
            /** Threshold Ns */
            threshold_ns: number;
            /** Total Count */
            total_count: number;
        };
        /**
         * ExceedanceRangeOut
         * @description Share of reads that took `threshold_ns` or longer, with its bounds.
         */
        ExceedanceRangeOut: {
            /** Lower Ratio */
            lower_ratio: number;
            /** Threshold Ns */
            threshold_ns: number;
            /** Upper Ratio */
            upper_ratio: number;
        };
        /**
         * ExceedanceRowOut
         * @description Share of operations at or above one threshold, against its limit. Misses count as over.
         */
        ExceedanceRowOut: {
            /** Limit Ratio */
            limit_ratio: number;
            /** Over Count */
            over_count: number;
            /** Ratio */
            ratio: number | null;
            /**
             * Ratio Lower
             * @description confidence included
             */
            ratio_lower: number | null;
            /**
             * Ratio Upper
             * @description confidence included
             */
            ratio_upper: number | null;
            /**
             * Share Lower
             * @description in this run, by its buckets alone
             */
            share_lower?: number | null;
            /**
             * Share Upper
             * @description in this run, by its buckets alone
             */
            share_upper?: number | null;
            /** Strength */
            strength?: ("proven" | "observed") | null;
            /** Threshold Ns */
            threshold_ns: number;
            /** Total Count */
            total_count: number;
            /**
             * Verdict
             * @enum {string}
             */
            verdict: "PASS" | "FAIL" | "INDETERMINATE";
            /** Words */
            words?: string | null;
        };
        /**
         * ExceedancesOut
         * @description Exceedance table of a run.
         */
        ExceedancesOut: {
            /** Rows */
            rows: components["schemas"]["ExceedanceOut"][];
            /**
             * Run Id
             * Format: uuid
             */
            run_id: string;
        };
        /**
         * ExceedanceVerdictOut
         * @description The exceedance part of a verdict.
         */
        ExceedanceVerdictOut: {
            certification: components["schemas"]["CertificationOut"] | null;
            /** Clock */
            clock: string;
            /** Operation */
            operation: string;
            /** Rows */
            rows: components["schemas"]["ExceedanceRowOut"][];
        };
        /**
         * ExplainedPhaseIn
         * @description A phase of a plan, as `tailroom-agent explain` has it.
         */
        ExplainedPhaseIn: {
            /**
             * By Agent
             * @description the part of each agent: two that divide a plan differently read it differently
             */
            by_agent?: {
                [key: string]: unknown;
            }[] | null;
            /** Duration S */
            duration_s?: number | null;
            /**
             * Name
             * Format: line
             */
            name: string;
            /** Operations */
            operations?: number | null;
            /** Operations Per S */
            operations_per_s?: {
                [key: string]: number | null;
            };
            /**
             * Ramp S
             * @default 0
             */
            ramp_s: number;
            /** Transactions Per S */
            transactions_per_s?: number | null;
        };
        /**
         * FacetOut
         * @description A value that a filter can take, and how many rows have it.
         */
        FacetOut: {
            /** Count */
            count: number;
            /** Value */
            value: string;
        };
        /**
         * FactChangeOut
         * @description A fact that differs from the run before; empty: not stated.
         */
        FactChangeOut: {
            /** After */
            after: string;
            /** Before */
            before: string;
            /** Name */
            name: string;
        };
        /**
         * FactDifferenceOut
         * @description A fact of host, plan or tool that two runs do not share; empty: not stated.
         */
        FactDifferenceOut: {
            /** After */
            after: string;
            /** Before */
            before: string;
            /** Name */
            name: string;
        };
        /**
         * FactIn
         * @description A fact that the catalogue should have, with its source.
         */
        FactIn: {
            /**
             * Capacity Bytes
             * @description the capacity that it is about; null: all of them
             */
            capacity_bytes?: number | null;
            /**
             * Field
             * @enum {string}
             */
            field: "interface" | "form_factor" | "flash" | "capacity" | "endurance" | "random_read" | "random_write" | "sequential_read" | "sequential_write" | "read_latency" | "write_latency" | "power";
            /**
             * Number
             * @description in ns, bytes, bytes/s, ops/s, W or DWPD, as the field is
             */
            number?: number | null;
            /**
             * Source
             * Format: name
             * @description where it stands: a data sheet, an address
             */
            source: string;
            /**
             * Text
             * @description of interface, form_factor and flash
             */
            text?: string | null;
        };
        /**
         * FactOut
         * @description What one source states about an item.
         */
        FactOut: {
            /**
             * Capacity Bytes
             * @description the capacity that it is about; null: all of them
             */
            capacity_bytes: number | null;
            /** Conditions */
            conditions: {
                [key: string]: string | boolean | number | null;
            };
            /**
             * Conflict
             * @description another fact on record contradicts it
             */
            conflict: boolean;
            /** Field */
            field: string;
            number: components["schemas"]["PrintedNumberOut"] | null;
            /**
             * Source Slug
             * @description publication that states it
             */
            source_slug: string | null;
            /**
             * Source Text
             * @description another source
             */
            source_text: string | null;
            /** Text */
            text: string | null;
        };
        /**
         * FailureOut
         * @description Work that was given up.
         */
        FailureOut: {
            /** Attempts */
            attempts: number;
            /**
             * Error
             * @description why the last attempt failed
             */
            error: string;
            /**
             * Given Up At
             * Format: date-time
             */
            given_up_at: string;
            /**
             * Subject
             * Format: uuid
             * @description the run or upload that it is about
             */
            subject: string;
            /**
             * Work
             * @description judge, audit, rate, read_upload or erase
             */
            work: string;
        };
        /**
         * FailuresOut
         * @description Work that was given up, newest first.
         */
        FailuresOut: {
            /** Failures */
            failures: components["schemas"]["FailureOut"][];
        };
        /**
         * FastestBurnOut
         * @description Fastest rolling window of one length. Greyed: fewer than 10 bad ones were to be expected in it.
         */
        FastestBurnOut: {
            /** Bad */
            bad: number;
            /** End Ns */
            end_ns: number | null;
            /** Is Greyed */
            is_greyed: boolean;
            /** Length Ns */
            length_ns: number;
            /** Rate */
            rate: number | null;
            /** Reason */
            reason: string | null;
            /** Start Ns */
            start_ns: number | null;
            /** Total */
            total: number;
        };
        /**
         * FigureOut
         * @description One quantity; see `tailroom.domain.comparison.figures.Figure`.
         */
        FigureOut: {
            /** Lower */
            lower: number;
            /** Lower Limit */
            lower_limit: number | null;
            /** Quantity */
            quantity: string;
            /** Spread */
            spread?: number | null;
            /** Upper */
            upper: number | null;
            /** Upper Limit */
            upper_limit: number | null;
            /** Why No Limits */
            why_no_limits: string;
        };
        /**
         * FiguresOut
         * @description Everything of a run that comparisons are made from.
         */
        FiguresOut: {
            /**
             * Contradiction
             * @description how its series contradict each other; then nothing is known
             */
            contradiction: string | null;
            /**
             * Devices
             * @description where the run has several devices with a record of their own
             */
            devices?: components["schemas"]["DeviceFiguresOut"][];
            /** Operations */
            operations: components["schemas"]["MeasuredOut"][];
            /**
             * Run Id
             * Format: uuid
             */
            run_id: string;
            /**
             * Source
             * @enum {string}
             */
            source: "agent" | "upload";
        };
        /**
         * FileProblemOut
         * @description Something wrong at one place of a file.
         */
        FileProblemOut: {
            /** File */
            file: string | null;
            /**
             * Line
             * @description counts from 1; null where it concerns the whole file
             */
            line: number | null;
            /** Reason */
            reason: string;
            /**
             * Severity
             * @enum {string}
             */
            severity: "note" | "warning" | "error";
        };
        /**
         * FindingFigureOut
         * @description One number of a finding.
         */
        FindingFigureOut: {
            /** As Printed */
            as_printed: string | null;
            /** Label */
            label: string;
            /**
             * Lower
             * @description null: no lower end is known
             */
            lower: number | null;
            /**
             * Unit
             * @description ns, ratio, ops/s, bytes, bytes/s, bits/s, count, x, s, h
             */
            unit: string;
            /**
             * Upper
             * @description null: no upper end is known
             */
            upper: number | null;
            /**
             * Value
             * @description in `unit`
             */
            value: number | null;
        };
        /**
         * FindingOut
         * @description What one check found. `info` with the kind `consistent` says that it was made and found nothing.
         */
        FindingOut: {
            /**
             * Check
             * @description P1 to P19
             */
            check: string;
            /** Check Title */
            check_title: string;
            /**
             * Claim Keys
             * @description claims of the publication that it rests on
             */
            claim_keys: string[];
            /** Figures */
            figures: components["schemas"]["FindingFigureOut"][];
            /** Id */
            id: string;
            /** Kind */
            kind: string;
            /**
             * Origin
             * @description reviewed: a reader's note, not a calculation
             * @enum {string}
             */
            origin: "computed" | "reviewed";
            /**
             * Reference
             * @description number in the readers' list of findings
             */
            reference: string | null;
            /**
             * Severity
             * @enum {string}
             */
            severity: "high" | "medium" | "low" | "info";
            /** Statement */
            statement: string;
        };
        /**
         * Finish
         * @description Body of `POST /api/v1/runs/{run_id}/finish`.
         */
        Finish: {
            /** @default null */
            drive_counters: components["schemas"]["DriveCounters"] | null;
            duration_ns: number;
            last_seq: {
                [key: string]: number;
            };
            /** @enum {unknown} */
            outcome: "completed" | "failed" | "interrupted" | "stopped";
            /** @default null */
            reason: string | null;
            /** @default null */
            search_ended: string | null;
        };
        /**
         * FinishAnswer
         * @description Answer to a finish: whether everything has arrived.
         */
        FinishAnswer: {
            complete: boolean;
            /** @enum {unknown} */
            directive: "continue" | "stop";
            missing: components["schemas"]["Missing"][];
        };
        /**
         * FloorDocument
         * @description A rate that must be exceeded.
         */
        FloorDocument: {
            /** Above */
            above: number;
            /**
             * Quantity
             * @enum {string}
             */
            quantity: "operations_per_s" | "disk_bytes_per_s" | "network_bits_per_s";
        };
        /**
         * FormatOut
         * @description A kind of file of a tool.
         */
        FormatOut: {
            /** Kind */
            kind: string;
            /**
             * Leaves
             * @description what is not; empty where nothing is left
             */
            leaves: string;
            /**
             * Reads
             * @description what of it is read
             */
            reads: string;
            /** Versions */
            versions: string;
        };
        /**
         * FormatsOut
         * @description Every tool whose result files are read.
         */
        FormatsOut: {
            /** Tools */
            tools: components["schemas"]["FormatToolOut"][];
        };
        /**
         * FormatToolOut
         * @description A tool and its kinds of files.
         */
        FormatToolOut: {
            /** Forms */
            forms: components["schemas"]["FormatOut"][];
            /** Title */
            title: string;
            /**
             * Tool
             * @description as its runs name it
             */
            tool: string;
        };
        /**
         * Gauge
         * @description One number that is read every second.
         */
        Gauge: {
            /**
             * Group
             * @enum {string}
             */
            group: "cpu" | "core" | "disk" | "network" | "pressure" | "memory" | "temperature" | "power" | "observer";
            /**
             * Name
             * Format: line
             */
            name: string;
            /**
             * Of
             * Format: line
             * @description which of several, such as a disk; empty where there is one
             * @default
             */
            of: string;
            /**
             * Unit
             * @enum {string}
             */
            unit: "percent" | "bytes" | "bytes/s" | "1/s" | "count" | "celsius" | "watts";
        };
        /**
         * GaugeOut
         * @description A gauge with its numbers, one for each step.
         */
        GaugeOut: {
            /** Greatest */
            greatest: (number | null)[];
            /**
             * Group
             * @enum {string}
             */
            group: "cpu" | "core" | "disk" | "network" | "pressure" | "memory" | "temperature" | "power" | "observer";
            /** Mean */
            mean: (number | null)[];
            /**
             * Name
             * Format: line
             */
            name: string;
            /**
             * Of
             * Format: line
             * @description which of several, such as a disk; empty where there is one
             * @default
             */
            of: string;
            /**
             * Unit
             * @enum {string}
             */
            unit: "percent" | "bytes" | "bytes/s" | "1/s" | "count" | "celsius" | "watts";
        };
        /**
         * GaugesOut
         * @description Numbers of one group; step k begins `offset_ns[k]` after `since` and lasts `step_s` seconds.
         */
        GaugesOut: {
            /** Gauges */
            gauges: components["schemas"]["GaugeOut"][];
            /** Offset Ns */
            offset_ns: number[];
            /** Step S */
            step_s: number;
        };
        /**
         * GivenUpOut
         * @description Work on a run that failed too often; it is not retried unless a person asks for it.
         */
        GivenUpOut: {
            /** Attempts */
            attempts: number;
            /**
             * Error
             * @description why the last attempt failed
             */
            error: string;
            /**
             * Given Up At
             * Format: date-time
             */
            given_up_at: string;
            /**
             * Work
             * @description judge, audit, rate or draw
             */
            work: string;
        };
        /**
         * HandOverIn
         * @description The member who shall be owner.
         */
        HandOverIn: {
            /**
             * Person Id
             * Format: uuid
             */
            person_id: string;
        };
        /**
         * HeadlineOut
         * @description What this run shows as bounds, beside what was asked; the same wherever it is shown.
         */
        HeadlineOut: {
            /**
             * Asked
             * @description limit or objective, in `unit`
             */
            asked: number | null;
            /**
             * Basis
             * @description what the interval rests on; model: operations of one slice taken as independent
             */
            basis: ("measured" | "model" | "counted") | null;
            /**
             * Lower
             * @description lower bound in this run, in `unit`
             */
            lower: number | null;
            /**
             * Text
             * @description one line: the interval and what was asked
             */
            text: string;
            /** Unit */
            unit: ("ratio" | "per_s" | "ns") | null;
            /**
             * Upper
             * @description upper bound in this run, in `unit`
             */
            upper: number | null;
        };
        /**
         * Health
         * @description The process answers.
         */
        Health: {
            /**
             * Status
             * @default alive
             * @constant
             */
            status: "alive";
        };
        /**
         * HeatmapColumnOut
         * @description A stretch of time with the operations in each range.
         */
        HeatmapColumnOut: {
            /**
             * Count
             * @description completed operations
             */
            count: number;
            /** Counts */
            counts: number[];
            /** Duration Ns */
            duration_ns: number;
            /**
             * First Row
             * @description row of the first entry of `counts`; rows outside it hold none
             */
            first_row: number;
            /**
             * Miss Count
             * @description errors, time-outs and unfinished operations: they are in no range
             */
            miss_count: number;
            /** Start Ns */
            start_ns: number;
        };
        /**
         * HeatmapOut
         * @description Latencies of one operation on one clock over time; a stretch without a column has no data.
         */
        HeatmapOut: {
            /**
             * Clock
             * @enum {string}
             */
            clock: "response" | "service" | "operation" | "queue";
            /**
             * Columns
             * @description in order of time
             */
            columns: components["schemas"]["HeatmapColumnOut"][];
            /** From Ns */
            from_ns: number;
            /** Operation */
            operation: string;
            /**
             * Rows
             * @description ascending, each begins where the one before ends
             */
            rows: components["schemas"]["HeatmapRowOut"][];
            /**
             * Run Id
             * Format: uuid
             */
            run_id: string;
            /** To Ns */
            to_ns: number;
        };
        /**
         * HeatmapRowOut
         * @description A range of latencies, `[lower_ns, upper_ns)`; its ends are edges of buckets.
         */
        HeatmapRowOut: {
            /**
             * Count
             * @description operations in the whole extent
             */
            count: number;
            /** Lower Ns */
            lower_ns: number;
            /**
             * Upper Ns
             * @description null: no upper end
             */
            upper_ns: number | null;
        };
        /**
         * HiddenOut
         * @description Rows that other conditions keep from being shown beside these.
         */
        HiddenOut: {
            /** Count */
            count: number;
            /** Reasons */
            reasons: components["schemas"]["HiddenReasonOut"][];
        };
        /**
         * HiddenReasonOut
         * @description Why rows are not shown, each counted once by the first condition that differs.
         */
        HiddenReasonOut: {
            /** Count */
            count: number;
            /** Reason */
            reason: string;
        };
        /**
         * IdentitiesOut
         * @description Accounts elsewhere that sign in to this account, the newest first.
         */
        IdentitiesOut: {
            /** Identities */
            identities: components["schemas"]["IdentityOut"][];
        };
        /**
         * IdentityOut
         * @description An account at the provider that signs in to this account.
         */
        IdentityOut: {
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /**
             * Email
             * @description as the provider said it when the two were connected
             */
            email: string;
            /**
             * Identity Id
             * Format: uuid
             */
            identity_id: string;
            /** Issuer */
            issuer: string;
            /**
             * Last Used At
             * Format: date-time
             */
            last_used_at: string;
        };
        /**
         * ImportedOut
         * @description What came.
         */
        ImportedOut: {
            /**
             * Drives Left Out
             * @description others here have their names
             */
            drives_left_out: number;
            /**
             * Members
             * @description e-mail addresses; nobody is let in by this
             */
            members: string[];
            /**
             * New Rows
             * @description 0: everything was here already
             */
            new_rows: number;
            /** New Runs */
            new_runs: number;
            /** Organisation */
            organisation: string;
            /**
             * Organisation Id
             * Format: uuid
             */
            organisation_id: string;
        };
        /**
         * IndependentOut
         * @description All operations thrown together and taken as independent.
         */
        IndependentOut: {
            /** P Estimate */
            p_estimate: number | null;
            /** P Lower */
            p_lower: number | null;
            /** P Lower Confident */
            p_lower_confident?: number | null;
            /** P Upper */
            p_upper: number | null;
            /** P Upper Confident */
            p_upper_confident?: number | null;
        };
        /**
         * Interval
         * @description The record of a time interval of a series.
         */
        Interval: {
            /** @default null */
            busy_ns: number | null;
            count: number;
            duration_ns: number;
            errors: number;
            /** @default null */
            histogram: string | null;
            /** @default null */
            in_flight: number | null;
            lateness_max_ns: number;
            /** @default null */
            lateness_p99_ns: number | null;
            /** @default null */
            max_ns: number | null;
            /** @default null */
            min_ns: number | null;
            /** @default null */
            oldest_in_flight_ns: number | null;
            pins: number[];
            seq: number;
            series: number;
            start_ns: number;
            sum_ns: number;
            /** @default null */
            target_count: number | null;
            /** @default null */
            temperature_millicelsius: number | null;
            timeouts: number;
            unfinished: number;
        };
        /**
         * IntervalMixtureOut
         * @description Independent inside each slice, each slice with its own distribution, weighted by its operations.
         */
        IntervalMixtureOut: {
            /**
             * Independent Blocks
             * @description independent transactions' worth of operations in the slices
             */
            independent_blocks?: number | null;
            /**
             * Longest Run Missing
             * @description most slices in a row that surely miss it
             */
            longest_run_missing?: number | null;
            /**
             * Meeting Possible Ratio
             * @description … that possibly meet it
             */
            meeting_possible_ratio?: number | null;
            /**
             * Meeting Ratio
             * @description share of slices that surely meet the objective by themselves
             */
            meeting_ratio: number | null;
            /** P Estimate */
            p_estimate: number | null;
            /** P Lower */
            p_lower: number | null;
            /** P Lower Confident */
            p_lower_confident?: number | null;
            /** P Upper */
            p_upper: number | null;
            /** P Upper Confident */
            p_upper_confident?: number | null;
            /** Piece Count */
            piece_count: number;
            /**
             * Piece Duration Ns
             * @description nominal length of a slice
             */
            piece_duration_ns: number;
            worst_piece: components["schemas"]["PieceOut"] | null;
        };
        /**
         * InvitationCodeIn
         * @description The part behind the # of an invitation's link.
         */
        InvitationCodeIn: {
            /**
             * Code
             * Format: password
             * @description of the link in the mail
             */
            code: string;
        };
        /**
         * InvitationIn
         * @description A person to invite.
         */
        InvitationIn: {
            /**
             * Days
             * @description until it expires
             * @default 7
             */
            days: number;
            /**
             * Email
             * Format: email
             */
            email: string;
            /**
             * Role
             * @default viewer
             * @enum {string}
             */
            role: "viewer" | "engineer" | "admin" | "owner";
        };
        /**
         * InvitationMadeOut
         * @description The members with a new invitation among them.
         */
        InvitationMadeOut: {
            /** Invitations */
            invitations: components["schemas"]["InvitationOut"][];
            /**
             * Link
             * @description of the new invitation; it is not given again
             */
            link: string;
            /** Members */
            members: components["schemas"]["MemberOut"][];
        };
        /**
         * InvitationOut
         * @description An open invitation.
         */
        InvitationOut: {
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Email */
            email: string;
            /**
             * Expires At
             * Format: date-time
             */
            expires_at: string;
            /**
             * Invitation Id
             * Format: uuid
             */
            invitation_id: string;
            /** Invited By */
            invited_by: string;
            /**
             * Role
             * @enum {string}
             */
            role: "viewer" | "engineer" | "admin" | "owner";
        };
        /**
         * InvitedOut
         * @description What an invitation leads to.
         */
        InvitedOut: {
            /** Email */
            email: string;
            /**
             * Expires At
             * Format: date-time
             */
            expires_at: string;
            /** Invited By */
            invited_by: string;
            /** Organisation */
            organisation: string;
            /**
             * Role
             * @enum {string}
             */
            role: "viewer" | "engineer" | "admin" | "owner";
        };
        /**
         * JobIn
         * @description How far an agent's job is.
         */
        JobIn: {
            /**
             * Campaign Id
             * Format: uuid
             */
            campaign_id: string;
            /** Phase */
            phase?: number | null;
            /** Phases */
            phases?: components["schemas"]["ExplainedPhaseIn"][] | null;
            /** Reason */
            reason?: string | null;
            /** Runs */
            runs?: {
                [key: string]: string;
            };
            /**
             * Step
             * @enum {string}
             */
            step: "preparing" | "ready" | "loading" | "armed" | "running" | "ended" | "failed";
        };
        /**
         * LadderMark
         * @description That a run is one step of a load ladder.
         */
        LadderMark: {
            /**
             * Kind
             * @enum {string}
             */
            kind: "raise" | "hold" | "stress";
            /**
             * Ladder Id
             * @description the same for all runs of a ladder: the id of its first run
             */
            ladder_id: string;
            /**
             * Load Multiple
             * @description per device; null where the plan names no multiple
             */
            load_multiple: number | null;
            /**
             * Step
             * @description counts from 1
             */
            step: number;
            /**
             * Step Count
             * @description steps so far; null for somebody else's run
             */
            step_count: number | null;
        };
        /**
         * LadderOut
         * @description A load ladder: its steps in order, and what their final verdicts show together.
         */
        LadderOut: {
            /**
             * Broken Load Multiple
             * @description lowest load that failed; null: none did
             */
            broken_load_multiple: number | null;
            /**
             * Budget Name
             * @description whose limits the verdicts are about
             */
            budget_name: string;
            /**
             * Certification Duration Ns
             * @description how long a certification takes at one load
             */
            certification_duration_ns: number;
            /**
             * Certified Load Multiple
             * @description highest kept load that was held as long as a certification takes, and passed it
             */
            certified_load_multiple: number | null;
            /**
             * Every Step Passed
             * @description all steps up to `kept_load_multiple` are here, and those that are judged passed
             */
            every_step_passed: boolean;
            /**
             * Held Load Multiple
             * @description what the agent took for the highest kept load while it climbed, and held
             */
            held_load_multiple: number | null;
            /**
             * Is Whole
             * @description no step before the last one is missing
             */
            is_whole: boolean;
            /**
             * Kept Load Multiple
             * @description highest load whose completed run passed, below every load that failed; null: none did
             */
            kept_load_multiple: number | null;
            /** Ladder Id */
            ladder_id: string;
            /**
             * May Change
             * @description a verdict or another step may follow
             */
            may_change: boolean;
            /**
             * Steps
             * @description of somebody else's ladder: the published ones
             */
            steps: components["schemas"]["LadderStepOut"][];
        };
        /**
         * LadderStepOut
         * @description One run of a ladder with its verdict on the limits, the same as the run itself shows.
         */
        LadderStepOut: {
            /**
             * Certification
             * @description whether this run certifies its load
             */
            certification: ("PASS" | "FAIL" | "INDETERMINATE") | null;
            /**
             * Kind
             * @enum {string}
             */
            kind: "raise" | "hold" | "stress";
            /** Load Multiple */
            load_multiple: number | null;
            /** Measured Duration Ns */
            measured_duration_ns: number | null;
            /** Outcome */
            outcome: ("completed" | "stopped" | "failed" | "interrupted") | null;
            /** Planned Duration Ns */
            planned_duration_ns: number;
            /** Provisional */
            provisional: boolean;
            /** Reason */
            reason: ("resolution" | "samples" | "dependence" | "duration" | "generator" | "metadata") | null;
            /** Reason Text */
            reason_text: string | null;
            /**
             * Rows
             * @description each limit beside what was measured
             */
            rows: components["schemas"]["ExceedanceRowOut"][];
            /**
             * Run Id
             * Format: uuid
             */
            run_id: string;
            /**
             * Started At
             * Format: date-time
             */
            started_at: string;
            /**
             * State
             * @enum {string}
             */
            state: "running" | "finishing" | "finished";
            /** Step */
            step: number;
            /**
             * Strength
             * @description null where undecided, or by a method before 8
             */
            strength: ("proven" | "observed") | null;
            /**
             * Verdict
             * @description of this run alone; null until there is one
             */
            verdict: ("PASS" | "FAIL" | "INDETERMINATE") | null;
            /**
             * Visibility
             * @enum {string}
             */
            visibility: "private" | "public" | "retracted";
            /**
             * Words
             * @description verdict and strength as a person reads them
             */
            words: string | null;
        };
        /**
         * LaneOut
         * @description Work of one lane.
         */
        LaneOut: {
            /**
             * Claimed
             * @description being worked on
             */
            claimed: number;
            /**
             * Due
             * @description could be done now
             */
            due: number;
            /** Given Up */
            given_up: number;
            /** Lane */
            lane: string;
            /** Later */
            later: number;
            /**
             * Oldest Due S
             * @description how long the oldest due work has waited
             */
            oldest_due_s: number;
        };
        /**
         * LateDegradationOut
         * @description Whether a later level is worse than the first steady one by more than the rule allows.
         */
        LateDegradationOut: {
            after: components["schemas"]["DegradedLevelOut"] | null;
            before: components["schemas"]["DegradedLevelOut"] | null;
            /** Changed Ns */
            changed_ns: number | null;
            /**
             * Hours Until Failing
             * @description full hours before the first that breaks the limit
             */
            hours_until_failing: number | null;
            /** Is Degraded */
            is_degraded: boolean | null;
            /** Lasts */
            lasts: boolean;
            /** P Value */
            p_value: number | null;
            /** Reason */
            reason: string | null;
            /**
             * Recovery Ns
             * @description period with which it comes and goes
             */
            recovery_ns: number | null;
        };
        /**
         * Layout
         * @description Bucket layout of a histogram series; there is one so far.
         */
        Layout: {
            /** @enum {unknown} */
            significant_digits: 3;
            /** @enum {unknown} */
            t: "hdr";
            /** @enum {unknown} */
            unit_ns: 1000;
        };
        /**
         * LayoutOut
         * @description Bucket layout of a histogram series.
         */
        LayoutOut: {
            /**
             * Edge Tolerance Ns
             * @description edges may in truth lie up to this much later
             * @default 0
             */
            edge_tolerance_ns: number;
            /**
             * Edges Ns
             * @description of `explicit`: ascending; null at the end where the last bucket is open
             */
            edges_ns?: (number | null)[] | null;
            /**
             * Significant Digits
             * @description of `hdr`
             */
            significant_digits?: number | null;
            /**
             * T
             * @enum {string}
             */
            t: "hdr" | "pow2" | "explicit";
            /**
             * Unit Ns
             * @description of `hdr` and `pow2`
             */
            unit_ns?: number | null;
        };
        /**
         * LeaderboardOut
         * @description A page of the leaderboard.
         */
        LeaderboardOut: {
            /**
             * Classes
             * @description every set of conditions that the filters leave
             */
            classes: components["schemas"]["TestConditionsOut"][];
            /** @description null where rows of several conditions are shown */
            conditions: components["schemas"]["TestConditionsOut"] | null;
            /**
             * Facets
             * @description vendor, interface, form_factor, op, metric, generation, evidence
             */
            facets: {
                [key: string]: components["schemas"]["FacetOut"][];
            };
            hidden: components["schemas"]["HiddenOut"];
            /**
             * Loads
             * @description columns of the matrix
             */
            loads: number[];
            /** Method Version */
            method_version: number;
            /** Next Cursor */
            next_cursor: string | null;
            /**
             * Notes
             * @description what holds for every judgement shown
             */
            notes: string[];
            /** @description null: the rule set's own limits */
            question: components["schemas"]["RatingQuestionOut"] | null;
            /** Rows */
            rows: components["schemas"]["LeaderboardRowOut"][];
            rule_set: components["schemas"]["RatingRuleSetOut"];
            /**
             * Run Not Rated
             * @description why the run that was asked for has no row, where that is known
             */
            run_not_rated: string | null;
            /**
             * Tests Waiting
             * @description tests that have not been judged by this question yet; the same question again goes on
             */
            tests_waiting: number;
            /**
             * Total
             * @description rows that match, on all pages
             */
            total: number;
            /**
             * Total Unfiltered
             * @description rows there are for this organisation in this scope
             */
            total_unfiltered: number;
            /**
             * Withdrawn
             * @description tests of these drives that were public, the latest 100; on the first page
             */
            withdrawn: components["schemas"]["WithdrawnTestOut"][];
        };
        /**
         * LeaderboardRowOut
         * @description One drive under one set of conditions.
         */
        LeaderboardRowOut: {
            /** Capacity Bytes */
            capacity_bytes: number | null;
            /**
             * Cells
             * @description one for each of `loads`, in that order
             */
            cells: components["schemas"]["CellOut"][];
            /** @description what the drives' own counters say; null where no test has them */
            counters: components["schemas"]["CountersAtLoadOut"] | null;
            drive: components["schemas"]["DriveNameOut"];
            /**
             * Dwpd
             * @description drive writes per day that it is rated for
             */
            dwpd: number | null;
            /** Evidence */
            evidence: ("measured_24h" | "measured" | "uploaded" | "third_party" | "vendor")[];
            exceedance_at_common: components["schemas"]["ExceedanceAtLoadOut"] | null;
            /**
             * Firmwares
             * @description of the measured drives; empty where no source states it
             */
            firmwares: string[];
            /** Form Factor */
            form_factor: string | null;
            /**
             * Generation
             * @enum {string}
             */
            generation: "before-2.0" | "2-5" | "6+" | "unstated";
            /** Interface */
            interface: string | null;
            /**
             * Longest Test Ns
             * @description null where no source states a duration
             */
            longest_test_ns: number | null;
            /** Marks */
            marks: ("reviewed" | "reproduced" | "disputed" | "retracted")[];
            /**
             * Metric Class
             * @enum {string}
             */
            metric_class: "total" | "device" | "unstated";
            over_provisioning: components["schemas"]["OverProvisioningOut"];
            /** Power W */
            power_w: number | null;
            price: components["schemas"]["PriceOut"] | null;
            /**
             * Price Per Ktps
             * @description per 1,000 operations/s of the highest passed load
             */
            price_per_ktps: number | null;
            /**
             * Price Per Thousand Transactions
             * @description per 1,000 transactions/s at the highest passed load; null for other questions
             */
            price_per_thousand_transactions: number | null;
            /**
             * Published Year
             * @description of the latest document: its tests are not younger
             */
            published_year: number | null;
            /** @description null: not ranked, see `unranked_reason` */
            rank: components["schemas"]["RankOut"] | null;
            rating: components["schemas"]["RatingOut"];
            /** Row Id */
            row_id: string;
            standing: components["schemas"]["StandingOut"];
            /** Test Count */
            test_count: number;
            /**
             * Tested By
             * @description vendor, publishers, the reader (`me`), number of organisations; empty where not stated
             */
            tested_by: string[];
            /**
             * Tested Year
             * @description of the latest dated test
             */
            tested_year: number | null;
            /**
             * Unranked Reason
             * @description why the row has no rank
             */
            unranked_reason: string | null;
            /**
             * Visibility
             * @enum {string}
             */
            visibility: "public" | "private";
            /** Watts Per Ktps */
            watts_per_ktps: number | null;
            /**
             * Watts Per Thousand Transactions
             * @description per 1,000 transactions/s at the highest passed load; null for other questions
             */
            watts_per_thousand_transactions: number | null;
        };
        /**
         * LevelOut
         * @description A stretch of time with one level of a share.
         */
        LevelOut: {
            /** End Ns */
            end_ns: number;
            limits: components["schemas"]["ShareLimitsOut"];
            /**
             * P Value
             * @description of the step from the level before; null for the first
             */
            p_value?: number | null;
            /** Ratio */
            ratio: number;
            /** Start Ns */
            start_ns: number;
        };
        /**
         * LevelsOut
         * @description Levels of a share over slices; every level but the first begins with a change.
         */
        LevelsOut: {
            /** Levels */
            levels: components["schemas"]["LevelOut"][];
            /** Reason */
            reason: string | null;
            /** Slice Ns */
            slice_ns: number;
        };
        /**
         * LevelStepOut
         * @description From a run on, a quantity has another level: geometric means of the runs before and after.
         */
        LevelStepOut: {
            /** After */
            after: number;
            /** Before */
            before: number;
            /** P Value */
            p_value: number;
            /** Quantity */
            quantity: string;
            /**
             * Run Id
             * Format: uuid
             */
            run_id: string;
        };
        /**
         * LimitDocument
         * @description Strictly less than `ratio` of the operations may take `threshold_ns` or longer.
         */
        LimitDocument: {
            /** Ratio */
            ratio: number;
            /** Threshold Ns */
            threshold_ns: number;
        };
        /**
         * LimitOut
         * @description A limit that a budget of the run sets for this operation.
         */
        LimitOut: {
            /** Limit Ratio */
            limit_ratio: number;
            /** Threshold Ns */
            threshold_ns: number;
        };
        /**
         * LimitRowOut
         * @description One limit of a budget beside what was measured. What does not apply is null.
         */
        LimitRowOut: {
            /** Clock */
            clock: string | null;
            /**
             * Kind
             * @enum {string}
             */
            kind: "exceedance" | "percentile" | "throughput";
            /**
             * Limit
             * @description ratio, nanoseconds or rate, by kind
             */
            limit: number;
            /**
             * Observed Lower
             * @description lower end in this run
             */
            observed_lower?: number | null;
            /**
             * Observed Upper
             * @description upper end in this run
             */
            observed_upper?: number | null;
            /** Operation */
            operation: string | null;
            /** Over Count */
            over_count?: number | null;
            /** Quantile */
            quantile?: number | null;
            /** Quantity */
            quantity?: string | null;
            /** Reason Text */
            reason_text?: string | null;
            /** Strength */
            strength?: ("proven" | "observed") | null;
            /** Threshold Ns */
            threshold_ns?: number | null;
            /** Total Count */
            total_count?: number | null;
            /**
             * Value
             * @description as measured; in the unit of the limit
             */
            value: number | null;
            /**
             * Value Lower
             * @description lower end, confidence included
             */
            value_lower: number | null;
            /**
             * Value Upper
             * @description upper end, confidence included; null: no upper end
             */
            value_upper: number | null;
            /**
             * Verdict
             * @enum {string}
             */
            verdict: "PASS" | "FAIL" | "INDETERMINATE";
        };
        /**
         * LimitsIn
         * @description Limits of an organisation; null means no limit.
         */
        LimitsIn: {
            /**
             * Agents
             * @description that enrolled and were not removed
             */
            agents?: number | null;
            /**
             * Requests Per Minute
             * @description in each API process; what agents send is not counted
             */
            requests_per_minute?: number | null;
            /** Runs */
            runs?: number | null;
            /**
             * Stored Bytes
             * @description of uploaded files
             */
            stored_bytes?: number | null;
            /**
             * Uploads Per Day
             * @description in the 24 hours before
             */
            uploads_per_day?: number | null;
        };
        /**
         * LimitsOut
         * @description Limits of an organisation; null is none.
         */
        LimitsOut: {
            /**
             * Agents
             * @description that enrolled and were not removed
             */
            agents?: number | null;
            /**
             * Requests Per Minute
             * @description in each API process; what agents send is not counted
             */
            requests_per_minute?: number | null;
            /** Runs */
            runs?: number | null;
            /**
             * Stored Bytes
             * @description of uploaded files
             */
            stored_bytes?: number | null;
            /**
             * Uploads Per Day
             * @description in the 24 hours before
             */
            uploads_per_day?: number | null;
        };
        /**
         * LineOut
         * @description A line of a file, made harmless.
         */
        LineOut: {
            /**
             * Number
             * @description counts from 1
             */
            number: number;
            /**
             * Text
             * @description control characters and bytes that are no UTF-8 are shown by signs
             */
            text: string;
            /**
             * Truncated
             * @description the line goes on
             */
            truncated: boolean;
        };
        /**
         * LinesOut
         * @description Lines around a requested line.
         */
        LinesOut: {
            /**
             * First
             * @description number of the first line shown
             */
            first: number;
            /**
             * Last
             * @description number of the last line shown
             */
            last: number;
            /** Lines */
            lines: components["schemas"]["LineOut"][];
        };
        /**
         * LinkIn
         * @description A link to be made.
         */
        LinkIn: {
            /**
             * Days
             * @description until it expires
             * @default 30
             */
            days: number;
            /**
             * Label
             * Format: name
             * @description whom it is for; only the owner sees it
             * @default
             */
            label: string;
        };
        /**
         * LinkMadeOut
         * @description The links with a new one among them.
         */
        LinkMadeOut: {
            /** Links */
            links: components["schemas"]["LinkOut"][];
            /**
             * Path
             * @description address of the new link; it is not given again
             */
            path: string;
        };
        /**
         * LinkOut
         * @description A link as its owner sees it later: without its address.
         */
        LinkOut: {
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /**
             * Expires At
             * Format: date-time
             */
            expires_at: string;
            /**
             * Is Open
             * @description neither expired nor taken back
             */
            is_open: boolean;
            /** Label */
            label: string;
            /**
             * Link Id
             * Format: uuid
             */
            link_id: string;
            /** Revoked At */
            revoked_at: string | null;
        };
        /**
         * LinksOut
         * @description The links of a run, the newest first.
         */
        LinksOut: {
            /** Links */
            links: components["schemas"]["LinkOut"][];
        };
        /**
         * LoadCurveOut
         * @description Share of slow reads over load, for one row and one threshold.
         */
        LoadCurveOut: {
            /** Limit Ratio */
            limit_ratio: number | null;
            /** Points */
            points: components["schemas"]["LoadPointOut"][];
            /** Row Id */
            row_id: string;
            /** Threshold Ns */
            threshold_ns: number;
        };
        /**
         * LoadOut
         * @description At which load a number was taken; null where the document does not say.
         */
        LoadOut: {
            /** As Printed */
            as_printed: string | null;
            /**
             * Multiple
             * @description of ACT: 1 is 2,000 reads and 1,000 writes per second and drive
             */
            multiple: number | null;
            /** Operations Per S */
            operations_per_s: number | null;
            /** Reads Per S */
            reads_per_s: number | null;
            /** Writes Per S */
            writes_per_s: number | null;
        };
        /**
         * LoadPointOut
         * @description A point of a load curve.
         */
        LoadPointOut: {
            /** Load */
            load: number;
            /** Lower Ratio */
            lower_ratio: number;
            /**
             * State
             * @enum {string}
             */
            state: "passed" | "failed" | "undecided" | "bounded" | "untested";
            /** Test Ids */
            test_ids: string[];
            /** Upper Ratio */
            upper_ratio: number;
        };
        /**
         * LoadSearchOut
         * @description A search: its probes in order, and the bracket that they show together.
         */
        LoadSearchOut: {
            /** Changes */
            changes: components["schemas"]["WordChangeOut"][];
            /**
             * Ended
             * @description why the search has ended, as its agent states it: precision, generator, probes, time, top, no-pass, stopped or failed; null: not stated
             */
            ended: string | null;
            /**
             * Ended Text
             * @description the same as a sentence
             */
            ended_text: string | null;
            /**
             * Failed Per S
             * @description lowest load above it that failed; null: none did
             */
            failed_per_s: number | null;
            /**
             * Is Repeated
             * @description both ends were measured again, with the same word
             */
            is_repeated: boolean;
            /**
             * Is Whole
             * @description no probe before the last one is missing, and none was repeated
             */
            is_whole: boolean;
            /**
             * Limit Ns
             * @description the time of the objective
             */
            limit_ns: number;
            /**
             * Limited Per S
             * @description load above it that the load generator could not make; null: another reason ended it
             */
            limited_per_s: number | null;
            /**
             * May Change
             * @description another probe may follow
             */
            may_change: boolean;
            /** Objective */
            objective: string;
            /**
             * Passed Per S
             * @description highest load that held, probes of one load counted together, below every load that failed; null: none did
             */
            passed_per_s: number | null;
            /**
             * Passes Above Failure
             * @description loads that held above one that failed
             */
            passes_above_failure: number[];
            /**
             * Probes
             * @description of somebody else's search: the published ones
             */
            probes: components["schemas"]["ProbeOut"][];
            /**
             * Search Id
             * @description the id of its first run
             */
            search_id: string;
            /**
             * Surely Failed Per S
             * @description upper end of the stated bracket; null: open
             */
            surely_failed_per_s: number | null;
            /**
             * Surely Passed Per S
             * @description lower end of the stated bracket: it held by more than its scatter; null: open
             */
            surely_passed_per_s: number | null;
            /**
             * Text
             * @description the bracket in one sentence
             */
            text: string;
        };
        /**
         * LocalCodeIn
         * @description The part behind the # of the link that `make up` printed.
         */
        LocalCodeIn: {
            /**
             * Code
             * Format: password
             * @description of the link in the mail
             */
            code: string;
        };
        /**
         * LocatedProblem
         * @description One broken rule and where it was broken. What does not apply is null.
         */
        LocatedProblem: {
            /**
             * Field
             * @description name of the field, or path inside the request
             * @default null
             */
            field: string | null;
            /**
             * Reason
             * @description which rule is broken, and by what
             */
            reason: string;
            /**
             * Seq
             * @description sequence number of the interval
             * @default null
             */
            seq: number | null;
            /**
             * Series
             * @description number of the series
             * @default null
             */
            series: number | null;
        };
        /**
         * LogBesideOut
         * @description A log that says what the machine did meanwhile. Its course is that of its own run.
         */
        LogBesideOut: {
            /**
             * Came Together
             * @description both are from one upload
             */
            came_together: boolean;
            /**
             * Clock
             * @description `zone`: both clocks have a zone; `local`: both print local times, taken for one zone
             * @enum {string}
             */
            clock: "zone" | "local" | "unknown";
            /**
             * Courses
             * @description what it prints of the time of the run; empty where the clocks do not say when it began
             */
            courses: components["schemas"]["MachineCourseOut"][];
            /** Devices */
            devices: components["schemas"]["DeviceOut"][];
            /** Duration Ns */
            duration_ns: number;
            /** Host Name */
            host_name: string | null;
            /**
             * Run Id
             * Format: uuid
             */
            run_id: string;
            /**
             * Same Host
             * @description null: one of the two does not name its machine
             */
            same_host: boolean | null;
            /**
             * Shared Ns
             * @description how much of the run it covers
             */
            shared_ns: number | null;
            /**
             * Start Ns
             * @description from the start of the run; negative before it
             */
            start_ns: number | null;
            /** Title */
            title: string;
        };
        /**
         * LogsBesideOut
         * @description In order of time; at most 20. Of a log itself that log alone. Empty for all but the owner.
         */
        LogsBesideOut: {
            /** Logs */
            logs: components["schemas"]["LogBesideOut"][];
        };
        /**
         * LostOut
         * @description An agent that was lost in a phase.
         */
        LostOut: {
            /** Agent */
            agent: string;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Reason */
            reason: string;
        };
        /**
         * MachineCourseOut
         * @description A quantity over time, on the axis of the run; of each stretch the largest that the log prints.
         */
        MachineCourseOut: {
            /** Duration Ns */
            duration_ns: number[];
            /**
             * Quantity
             * @description `device_busy_percent`, `queue_length`, `device_wait_ms`, `cpu_busy_percent`, `cpu_iowait_percent`, `memory_used_percent`, `network_kb_per_s`
             */
            quantity: string;
            /** Start Ns */
            start_ns: number[];
            /** Subject */
            subject: string;
            /** Values */
            values: number[];
        };
        /**
         * MailOut
         * @description A mail that was stored instead of sent.
         */
        MailOut: {
            /** Name */
            name: string;
            /** Subject */
            subject: string;
            /** Text */
            text: string;
            /** To */
            to: string;
            /**
             * Written At
             * Format: date-time
             */
            written_at: string;
        };
        /**
         * MailsOut
         * @description The newest mails that were stored.
         */
        MailsOut: {
            /** Mails */
            mails: components["schemas"]["MailOut"][];
        };
        /**
         * MatchCountsOut
         * @description All configurations that were judged, whatever page is shown: `meets` are `proven` and `observed`.
         */
        MatchCountsOut: {
            /**
             * Kinds
             * @description configurations of each kind, whichever are asked for
             */
            kinds: {
                [key: string]: number;
            };
            /** Meets */
            meets: number;
            /** Misses */
            misses: number;
            /**
             * Observed
             * @description passes in its run or test, and does not prove it for the next one
             */
            observed: number;
            /** Proven */
            proven: number;
            /** Undecided */
            undecided: number;
            /**
             * Undecided By
             * @description undecided, by what is missing
             */
            undecided_by: {
                [key: string]: number;
            };
        };
        /**
         * MatchIn
         * @description Which configurations keep a budget: the organisation's, and those that figures are published of?
         */
        MatchIn: {
            budget: components["schemas"]["BudgetChoiceIn"];
            /** Cursor */
            cursor?: string | null;
            /**
             * Kinds
             * @description only records of these kinds; default: of all
             */
            kinds?: ("run" | "upload" | "campaign" | "drive_test" | "publication" | "distribution")[] | null;
            /**
             * Limit
             * @default 50
             */
            limit: number;
            /**
             * Published
             * @description also tests of drives that others have published, and figures of documents
             * @default true
             */
            published: boolean;
            /**
             * Runs
             * @description only these runs of the organisation, simulated ones too; nothing that was published
             */
            runs?: string[] | null;
        };
        /**
         * MatchItemOut
         * @description One configuration against the budget.
         */
        MatchItemOut: {
            /**
             * Decided By
             * @description the cheapest data that would decide or prove it; null where it is proven
             */
            decided_by: string | null;
            /**
             * Group
             * @enum {string}
             */
            group: "proven" | "observed" | "undecided" | "too_slow";
            /** @description bounds of the record beside what was asked */
            headline?: components["schemas"]["HeadlineOut"] | null;
            /** @description of a verdict that is not proven; else null */
            meter?: components["schemas"]["EvidenceMeterOut"] | null;
            /**
             * N Guaranteed
             * @description largest count of the one stage that fits for certain
             */
            n_guaranteed: number | null;
            /**
             * N Possible
             * @description … at best; null also where there is no limit
             */
            n_possible: number | null;
            /**
             * N Text
             * @description both as a person reads them; null where nothing is known
             */
            n_text: string | null;
            /** @description what the record shows */
            observed: components["schemas"]["ScopeOut"];
            /**
             * Operations
             * @description to choose from, where several fit the question; else empty
             */
            operations: string[];
            /** P Estimate */
            p_estimate: number | null;
            /**
             * P Lower
             * @description least that buckets and model allow, before sampling error
             */
            p_lower: number | null;
            /** P Upper */
            p_upper: number | null;
            /** @description what it proves for the next run, with 95 % confidence */
            proven: components["schemas"]["ScopeOut"];
            /**
             * Reason
             * @description why it is undecided
             */
            reason: ("resolution" | "samples" | "dependence" | "duration" | "generator" | "metadata") | null;
            /** Reason Text */
            reason_text: string | null;
            /**
             * Room Lower Ns
             * @description left of the window at the objective's quantile, for certain
             */
            room_lower_ns: number | null;
            /** Room Upper Ns */
            room_upper_ns: number | null;
            /**
             * Strength
             * @description how far it carries; null where undecided
             */
            strength: ("proven" | "observed") | null;
            subject: components["schemas"]["SubjectOut"];
            /**
             * Unproven
             * @description why an observed verdict is not proven
             */
            unproven: ("resolution" | "samples" | "dependence" | "duration" | "generator" | "metadata") | null;
            /**
             * Verdict
             * @enum {string}
             */
            verdict: "PASS" | "FAIL" | "INDETERMINATE";
            /**
             * Words
             * @description verdict and strength as a person reads them
             */
            words: string;
        };
        /**
         * MatchOut
         * @description Configurations against a budget, group after group: `proven`, `observed` (passes in its run or test),
         *     `undecided` by what would decide it, `too_slow`.
         */
        MatchOut: {
            budget: components["schemas"]["BudgetEchoOut"];
            counts: components["schemas"]["MatchCountsOut"];
            /** Items */
            items: components["schemas"]["MatchItemOut"][];
            /** Method Version */
            method_version: number;
            /**
             * Next Cursor
             * @description give it as `cursor` for the next page; null on the last one
             */
            next_cursor: string | null;
            /**
             * Not Looked At
             * @description configurations beyond the cap, about which nothing is said here
             */
            not_looked_at: number;
        };
        /**
         * MeasuredConditionsOut
         * @description What shapes the load; see `tailroom.domain.comparison.conditions.Conditions`.
         */
        MeasuredConditionsOut: {
            /**
             * Clock
             * @enum {string}
             */
            clock: "response" | "service" | "operation" | "queue";
            /** Closed Loop */
            closed_loop: boolean;
            /** Fell Behind */
            fell_behind: string | null;
            /** Operation */
            operation: string;
            /** Parameters */
            parameters: {
                [key: string]: string | number | boolean | null;
            };
            /** Target Per S */
            target_per_s: number | null;
            /** Tool */
            tool: string;
            /** Tool Version */
            tool_version: string | null;
            /** Unknown */
            unknown: string[];
        };
        /**
         * MeasuredDrive
         * @description The readings of one disk, in order of time.
         */
        MeasuredDrive: {
            /** @default {} */
            absent: {
                [key: string]: string;
            };
            devices: string[];
            /** Format: line */
            disk: string;
            readings: components["schemas"]["DriveReading"][];
        };
        /**
         * MeasuredDriveOut
         * @description One disk.
         */
        MeasuredDriveOut: {
            /** Absent */
            absent: components["schemas"]["AbsentSourceOut"][];
            /**
             * Devices
             * @description measured files and devices on it
             */
            devices: string[];
            /** Disk */
            disk: string;
            /** Figures */
            figures: components["schemas"]["CounterFigureOut"][];
            /**
             * From Ns
             * @description when the first reading that counts began
             */
            from_ns: number | null;
            /**
             * Is To The End
             * @description the last reading was made after the drain
             */
            is_to_the_end: boolean;
            /** Readings */
            readings: components["schemas"]["DriveReadingOut"][];
            /**
             * Reason
             * @description why there are no figures
             */
            reason: string | null;
            /**
             * To Ns
             * @description when the last reading began
             */
            to_ns: number | null;
        };
        /**
         * MeasuredOut
         * @description One operation on one clock.
         */
        MeasuredOut: {
            /**
             * Clock
             * @enum {string}
             */
            clock: "response" | "service" | "operation" | "queue";
            conditions: components["schemas"]["MeasuredConditionsOut"];
            /** Figures */
            figures: components["schemas"]["FigureOut"][];
            /** Has Course */
            has_course: boolean;
            /**
             * In Flight Lower
             * @description operations at once, by Little's law
             */
            in_flight_lower: number | null;
            /** In Flight Upper */
            in_flight_upper: number | null;
            /**
             * Is Read
             * @description a read, by whatever name its tool has for it
             */
            is_read: boolean;
            /** Measured Ns */
            measured_ns: number;
            /** Operation */
            operation: string;
            /** Samples */
            samples: number | null;
        };
        /**
         * MeasuredTransactionsOut
         * @description Whole transactions as they were measured, beside the model.
         */
        MeasuredTransactionsOut: {
            /** Clock */
            clock: string;
            /**
             * Contradicts Model
             * @description the model is refuted for this run
             */
            contradicts_model?: boolean | null;
            /** Dependence Factor */
            dependence_factor: number | null;
            /**
             * Is Asked
             * @description they followed the plan that is asked about, not one beside it
             * @default true
             */
            is_asked: boolean;
            /**
             * Largest Gap
             * @description between the model's band and the measured one (95 %), over all times; 0: none
             */
            largest_gap?: number | null;
            /** Largest Gap At Ns */
            largest_gap_at_ns?: number | null;
            /** Operation */
            operation: string;
            /**
             * Plan Text
             * @description the plan of each: how many reads, how many at a time
             */
            plan_text?: string | null;
            /** Quantile Lower Ns */
            quantile_lower_ns: number | null;
            /** Quantile Upper Ns */
            quantile_upper_ns: number | null;
            /** Ratio */
            ratio: number | null;
            /** Ratio Lower */
            ratio_lower: number | null;
            /** Ratio Upper */
            ratio_upper: number | null;
            /**
             * Reads
             * @description of each; another number where evidence was transferred
             */
            reads?: number | null;
            /** Total Count */
            total_count: number;
            /** Variance Inflation */
            variance_inflation: number | null;
            /** Within Count */
            within_count: number;
        };
        /**
         * MemberFactorOut
         * @description Which second factor a member has set.
         */
        MemberFactorOut: {
            /**
             * Factor
             * @enum {string}
             */
            factor: "none" | "app" | "passkey" | "both";
            /**
             * Person Id
             * Format: uuid
             */
            person_id: string;
        };
        /**
         * MemberFactorsOut
         * @description Second factors of the members.
         */
        MemberFactorsOut: {
            /** Factors */
            factors: components["schemas"]["MemberFactorOut"][];
        };
        /**
         * MemberOut
         * @description A member, as the others see them.
         */
        MemberOut: {
            /** Email */
            email: string;
            /** Is Me */
            is_me: boolean;
            /**
             * Joined At
             * Format: date-time
             */
            joined_at: string;
            /** Name */
            name: string;
            /**
             * Person Id
             * Format: uuid
             */
            person_id: string;
            /**
             * Role
             * @enum {string}
             */
            role: "viewer" | "engineer" | "admin" | "owner";
        };
        /**
         * MembershipOut
         * @description An organisation of a person.
         */
        MembershipOut: {
            /**
             * Deletion Due At
             * @description when it is deleted, if an owner has asked for that
             */
            deletion_due_at: string | null;
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /**
             * Is Current
             * @description the one that this session acts for
             */
            is_current: boolean;
            /** Name */
            name: string;
            /**
             * Needs Second Factor
             * @description only members who have a second factor see and do anything for it
             */
            needs_second_factor: boolean;
            /**
             * Role
             * @enum {string}
             */
            role: "viewer" | "engineer" | "admin" | "owner";
        };
        /**
         * MembersOut
         * @description Members of the organisation, by name; open invitations, the newest first.
         */
        MembersOut: {
            /** Invitations */
            invitations: components["schemas"]["InvitationOut"][];
            /** Members */
            members: components["schemas"]["MemberOut"][];
        };
        /**
         * Missing
         * @description Intervals that are known to exist and have not arrived; both ends included.
         */
        Missing: {
            from_seq: number;
            series: number;
            to_seq: number;
        };
        /**
         * MissingDisclosure
         * @description A required fact about the circumstances that the run does not state.
         */
        MissingDisclosure: {
            /** Field */
            field: string;
            /** Label */
            label: string;
        };
        /**
         * MissingRange
         * @description Intervals that are known to exist and have not arrived.
         */
        MissingRange: {
            /** From Seq */
            from_seq: number;
            /** Series */
            series: number;
            /** To Seq */
            to_seq: number;
        };
        /**
         * ModelsOut
         * @description Models side by side; null where the record does not allow one.
         */
        ModelsOut: {
            independent: components["schemas"]["IndependentOut"] | null;
            interval_mixture: components["schemas"]["IntervalMixtureOut"] | null;
            measured: components["schemas"]["MeasuredTransactionsOut"] | null;
            worst_case: components["schemas"]["WorstCaseOut"] | null;
        };
        /**
         * NewPasswordIn
         * @description A new password, authorised by the link of a mail.
         */
        NewPasswordIn: {
            /**
             * Code
             * Format: password
             * @description of the link in the mail
             */
            code: string;
            /**
             * Name
             * Format: name
             * @description of the person, when they sign up
             * @default
             */
            name: string;
            /**
             * Passkey
             * @description instead of a code: what `PublicKeyCredential.toJSON()` gives, for a challenge of `/session/passkey`
             */
            passkey?: {
                [key: string]: unknown;
            } | null;
            /**
             * Password
             * Format: password
             * @description at least 12 characters, hard to guess
             */
            password: string;
            /**
             * Second Factor
             * @description where the account has a second factor
             */
            second_factor?: string | null;
        };
        /**
         * ObservationIn
         * @description An observer begins.
         */
        ObservationIn: {
            agent: components["schemas"]["ObserverVersion"];
            /**
             * Clock Error Ns
             * @description how far the start may be off; none: by the machine's own clock
             */
            clock_error_ns?: number | null;
            /** Gauges */
            gauges: components["schemas"]["Gauge"][];
            /**
             * Host Name
             * Format: line
             */
            host_name: string;
            /**
             * Observation Id
             * Format: uuid
             */
            observation_id: string;
            /** Servers */
            servers?: string[];
            /** Started At Unix Ns */
            started_at_unix_ns: number;
            /** Unknown */
            unknown?: components["schemas"]["Untold"][];
        };
        /**
         * ObservationOut
         * @description An observation beside a run or campaign.
         */
        ObservationOut: {
            /**
             * Clock Error Ns
             * @description none: by the machine's own clock, error unknown
             */
            clock_error_ns: number | null;
            /** Gauges */
            gauges: components["schemas"]["Gauge"][];
            /** Host Name */
            host_name: string;
            /** Is Live */
            is_live: boolean;
            /**
             * Observation Id
             * Format: uuid
             */
            observation_id: string;
            /**
             * Relation
             * @description what the machine was for it: the server measured, the load generator, both, or neither
             * @enum {string}
             */
            relation: "server" | "load-generator" | "both" | "meanwhile";
            /**
             * Seconds
             * @description that are stored
             */
            seconds: number;
            /**
             * Start Ns
             * @description from the start of the run or campaign to the observer's first second
             */
            start_ns: number;
            /**
             * Started At
             * Format: date-time
             */
            started_at: string;
            /** Unknown */
            unknown: components["schemas"]["Untold"][];
        };
        /**
         * ObservationsOut
         * @description Observations beside a run or campaign, the server's first.
         */
        ObservationsOut: {
            /**
             * Efficiency
             * @description over the seconds that run and observation share; empty where no watts are known
             */
            efficiency: components["schemas"]["EfficiencyOut"][];
            /** Observations */
            observations: components["schemas"]["ObservationOut"][];
        };
        /**
         * ObserverVersion
         * @description Which agent observes.
         */
        ObserverVersion: {
            /** Commit */
            commit?: string | null;
            /**
             * Version
             * Format: line
             */
            version: string;
        };
        /**
         * OperationCourseOut
         * @description One operation on the clock that verdicts prefer.
         */
        OperationCourseOut: {
            /**
             * Clock
             * @enum {string}
             */
            clock: "response" | "service" | "operation" | "queue";
            /** Operation */
            operation: string;
            /** Piece Count */
            piece_count: number;
            /**
             * Piece Duration Ns
             * @description usual length of the slices behind this
             */
            piece_duration_ns: number | null;
            ramp: components["schemas"]["RampOut"] | null;
            /**
             * Reason
             * @description why nothing is assessed for this operation
             */
            reason: string | null;
            steady_state: components["schemas"]["SteadyStateOut"] | null;
            /** Steps */
            steps: components["schemas"]["StepsOut"][];
            /** Thresholds */
            thresholds: components["schemas"]["ThresholdCourseOut"][];
        };
        /**
         * OptionsOut
         * @description Ways to sign in.
         */
        OptionsOut: {
            /**
             * Least Characters
             * @description of a password
             */
            least_characters: number;
            /**
             * Mail
             * @description `stored`: mails stay on this machine, see `/api/v1/mail`
             * @enum {string}
             */
            mail: "sent" | "stored";
            /**
             * Sign Up
             * @enum {string}
             */
            sign_up: "open" | "invited";
            /**
             * Single Sign On
             * @description the provider's name on the pages; null: there is none
             */
            single_sign_on: string | null;
        };
        /**
         * OrganisationChoiceIn
         * @description The organisation that a session shall act for.
         */
        OrganisationChoiceIn: {
            /**
             * Organisation Id
             * Format: uuid
             */
            organisation_id: string;
        };
        /**
         * OrganisationIn
         * @description The name of an organisation.
         */
        OrganisationIn: {
            /**
             * Name
             * Format: name
             */
            name: string;
        };
        /**
         * OrganisationOut
         * @description An organisation, as shown.
         */
        OrganisationOut: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /** Name */
            name: string;
        };
        /**
         * Outcome
         * @description The answer in a word.
         * @enum {string}
         */
        Outcome: "regression" | "improvement" | "mixed" | "no-change" | "unrepeated" | "not-shown" | "not-comparable";
        /**
         * OverProvisioningOut
         * @description How much of the flash was kept free for the drive itself.
         */
        OverProvisioningOut: {
            /** As Printed */
            as_printed: string | null;
            /**
             * Class
             * @enum {string}
             */
            class: "none" | "over_provisioned" | "unstated";
            /**
             * Usable Ratio
             * @description usable of raw capacity; null where not stated
             */
            usable_ratio: number | null;
        };
        /**
         * OverviewOut
         * @description The installation at one moment: figures, and nothing of what anybody measured.
         */
        OverviewOut: {
            /** Agents */
            agents: components["schemas"]["AgentVersionOut"][];
            backup: components["schemas"]["BackupOut"] | null;
            /**
             * Concerns
             * @description what needs attention, most urgent first
             */
            concerns: string[];
            /** Database Bytes */
            database_bytes: number;
            /**
             * Due
             * @description due longest and not being worked on
             */
            due: components["schemas"]["WorkOut"][];
            /**
             * Given Up
             * @description what was given up last
             */
            given_up: components["schemas"]["WorkOut"][];
            /** Lanes */
            lanes: components["schemas"]["LaneOut"][];
            /**
             * Now
             * Format: date-time
             */
            now: string;
            /** Oldest Transaction S */
            oldest_transaction_s: number;
            /** Organisation Count */
            organisation_count: number;
            /**
             * Organisations
             * @description the largest first, as many as fit
             */
            organisations: components["schemas"]["StoredOut"][];
            /** Partition Days Ahead */
            partition_days_ahead: number;
            /** Partitions */
            partitions: components["schemas"]["PartitionOut"][];
            /** Raw File Bytes */
            raw_file_bytes: number;
            /** Raw Files */
            raw_files: number;
            /**
             * Tables
             * @description the largest first
             */
            tables: components["schemas"]["TableOut"][];
        };
        /**
         * PairOut
         * @description A subject compared with the first subject, the base.
         */
        PairOut: {
            /**
             * Changes
             * @description what would take every reason away
             */
            changes: string[];
            /**
             * Changes Text
             * @description how many facts changed; null where they are not known
             */
            changes_text: string | null;
            /** Comparable */
            comparable: boolean;
            /**
             * Factors
             * @description what else differs
             */
            factors: string[];
            /** Factors Text */
            factors_text: string | null;
            /**
             * Facts Changed
             * @description of two runs; at most 20
             */
            facts_changed: components["schemas"]["FactDifferenceOut"][];
            /** Gains */
            gains: components["schemas"]["ComparedGainOut"][];
            /** Headline */
            headline: string;
            /**
             * New
             * @description number of the subject, from 0; the base is 0
             */
            new: number;
            /** Notes */
            notes: string[];
            /** Quantile Ratios */
            quantile_ratios: components["schemas"]["QuantileRatioOut"][];
            /**
             * Reasons
             * @description against any conclusion
             */
            reasons: string[];
            verdict: components["schemas"]["Outcome"];
        };
        /**
         * PartitionOut
         * @description One partition of the intervals.
         */
        PartitionOut: {
            /** Name */
            name: string;
            /** Size Bytes */
            size_bytes: number;
        };
        /**
         * PasskeyAnswerIn
         * @description The answer of a device to a challenge.
         */
        PasskeyAnswerIn: {
            /**
             * Credential
             * @description what the browser's `PublicKeyCredential.toJSON()` gives
             */
            credential: {
                [key: string]: unknown;
            };
        };
        /**
         * PasskeyIn
         * @description A new passkey.
         */
        PasskeyIn: {
            /**
             * Credential
             * @description what the browser's `PublicKeyCredential.toJSON()` gives
             */
            credential: {
                [key: string]: unknown;
            };
            /**
             * Name
             * Format: name
             */
            name: string;
        };
        /**
         * PasskeyMadeOut
         * @description The passkeys, including a new passkey.
         */
        PasskeyMadeOut: {
            /** Passkeys */
            passkeys: components["schemas"]["PasskeyOut"][];
            /**
             * Recovery Codes
             * @description where there was no second factor before: each works once and is shown once
             */
            recovery_codes: string[];
        };
        /**
         * PasskeyNameIn
         * @description How a person calls a passkey.
         */
        PasskeyNameIn: {
            /**
             * Name
             * Format: name
             */
            name: string;
        };
        /**
         * PasskeyOptionsOut
         * @description A challenge, good once and for ten minutes.
         */
        PasskeyOptionsOut: {
            /**
             * Options
             * @description for `PublicKeyCredential.parseCreationOptionsFromJSON` or `…parseRequestOptionsFromJSON`
             */
            options: {
                [key: string]: unknown;
            };
        };
        /**
         * PasskeyOut
         * @description A passkey.
         */
        PasskeyOut: {
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /**
             * Is Synced
             * @description its device stores copies elsewhere, such as with its maker
             */
            is_synced: boolean;
            /** Last Used At */
            last_used_at: string | null;
            /** Name */
            name: string;
            /**
             * Passkey Id
             * Format: uuid
             */
            passkey_id: string;
        };
        /**
         * PasskeysOut
         * @description Passkeys of a person, the newest first.
         */
        PasskeysOut: {
            /** Passkeys */
            passkeys: components["schemas"]["PasskeyOut"][];
        };
        /**
         * PasswordChangeIn
         * @description Another password.
         */
        PasswordChangeIn: {
            /**
             * Password
             * Format: password
             * @description at least 12 characters, hard to guess
             */
            password: string;
            /**
             * Present
             * Format: password
             */
            present: string;
        };
        /**
         * PasswordIn
         * @description The present password, before something that it guards.
         */
        PasswordIn: {
            /**
             * Present
             * Format: password
             */
            present: string;
        };
        /**
         * PasswordSignIn
         * @description The credentials of a person.
         */
        PasswordSignIn: {
            /**
             * Email
             * Format: email
             */
            email: string;
            /**
             * Passkey
             * @description instead of a code: what `PublicKeyCredential.toJSON()` gives, for a challenge of `/session/passkey`
             */
            passkey?: {
                [key: string]: unknown;
            } | null;
            /**
             * Password
             * Format: password
             */
            password: string;
            /**
             * Second Factor
             * @description where the account has a second factor
             */
            second_factor?: string | null;
        };
        /**
         * PercentileDocument
         * @description Quantiles that must lie below limits.
         */
        PercentileDocument: {
            /** Clock */
            clock?: ("response" | "service" | "operation" | "queue") | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "percentile";
            /** Limits */
            limits: components["schemas"]["QuantileLimitDocument"][];
            /**
             * Name
             * Format: lookup
             * @description lower-case words joined by hyphens
             */
            name: string;
            /**
             * Operation
             * Format: line
             */
            operation: string;
            /**
             * Question
             * Format: text
             * @default
             */
            question: string;
            /**
             * Title
             * Format: name
             * @default
             */
            title: string;
            /**
             * Version
             * @default 1
             */
            version: number;
        };
        /**
         * PercentilePointOut
         * @description Percentiles of one stretch of time; a quantile is null where it has too few operations to be one.
         */
        PercentilePointOut: {
            /** Count */
            count: number;
            /** Duration Ns */
            duration_ns: number;
            /** Max Ns */
            max_ns: number | null;
            /** P50 Lower Ns */
            p50_lower_ns: number | null;
            /** P50 Upper Ns */
            p50_upper_ns: number | null;
            /** P99 Lower Ns */
            p99_lower_ns: number | null;
            /** P99 Upper Ns */
            p99_upper_ns: number | null;
            /** P999 Lower Ns */
            p999_lower_ns: number | null;
            /** P999 Upper Ns */
            p999_upper_ns: number | null;
            /** Start Ns */
            start_ns: number;
        };
        /**
         * PercentilesOut
         * @description Percentile curves of a run.
         */
        PercentilesOut: {
            /** Curves */
            curves: components["schemas"]["CurveOut"][];
            /**
             * Run Id
             * Format: uuid
             */
            run_id: string;
        };
        /**
         * PeriodOut
         * @description A piece of an uploaded run of which the file states summaries only: to look at, never added up.
         */
        PeriodOut: {
            /**
             * Count
             * @description null where the file does not say
             */
            count: number | null;
            /** Duration Ns */
            duration_ns: number;
            /** P50 Lower Ns */
            p50_lower_ns: number;
            /**
             * P50 Upper Ns
             * @description null: no upper end is known
             */
            p50_upper_ns: number | null;
            /** P99 Lower Ns */
            p99_lower_ns: number;
            /** P99 Upper Ns */
            p99_upper_ns: number | null;
            /** P999 Lower Ns */
            p999_lower_ns: number;
            /** P999 Upper Ns */
            p999_upper_ns: number | null;
            /** Start Ns */
            start_ns: number;
        };
        /**
         * PersonOut
         * @description A person, as they see themselves.
         */
        PersonOut: {
            /** Email */
            email: string;
            /** Name */
            name: string;
        };
        /**
         * PersonSessionOut
         * @description A browser in which the person is signed in.
         */
        PersonSessionOut: {
            /**
             * Address
             * @description network address that signed in
             */
            address: string;
            /**
             * Browser
             * @description browser and system, as it reports them
             */
            browser: string;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /**
             * Expires At
             * Format: date-time
             */
            expires_at: string;
            /** Is Current */
            is_current: boolean;
            /**
             * Last Used At
             * Format: date-time
             * @description to the minute
             */
            last_used_at: string;
            /**
             * Session Id
             * Format: uuid
             */
            session_id: string;
        };
        /**
         * PersonSessionsOut
         * @description The sessions of a person, the last used first.
         */
        PersonSessionsOut: {
            /** Sessions */
            sessions: components["schemas"]["PersonSessionOut"][];
        };
        /**
         * PieceOut
         * @description One piece of the record.
         */
        PieceOut: {
            /** Duration Ns */
            duration_ns: number;
            /** P Estimate */
            p_estimate: number | null;
            /** P Lower */
            p_lower: number | null;
            /** P Upper */
            p_upper: number | null;
            /** Start Ns */
            start_ns: number;
        };
        /**
         * PlanDocument
         * @description The stages of a transaction.
         */
        PlanDocument: {
            /** Stages */
            stages: components["schemas"]["StageDocument"][];
        };
        /**
         * PollIn
         * @description An agent asks for work.
         */
        PollIn: {
            /** Clock Error Ns */
            clock_error_ns?: number | null;
            /** Inventory */
            inventory?: {
                [key: string]: unknown;
            } | null;
            job?: components["schemas"]["JobIn"] | null;
            /**
             * Knows
             * @description what of plans this agent knows that older ones do not, or read over without a word
             */
            knows?: string[];
            /**
             * Longest Wait S
             * @description the longer of both counts; for agents that know of the blanks before an answer
             * @default 0
             */
            longest_wait_s: number;
            /** Refusals */
            refusals?: components["schemas"]["RefusalIn"][];
            version: components["schemas"]["AgentVersionIn"];
            /**
             * Wait S
             * @default 0
             */
            wait_s: number;
            /** Wall Clock Ahead Ns */
            wall_clock_ahead_ns?: number | null;
        };
        /**
         * PollOut
         * @description What there is to do.
         */
        PollOut: {
            /** Commands */
            commands: components["schemas"]["CommandOut"][];
        };
        /**
         * PriceEntryIn
         * @description The price of one drive of one capacity, with its source and date.
         */
        PriceEntryIn: {
            /** Capacity Bytes */
            capacity_bytes: number;
            /**
             * Currency
             * @description ISO 4217
             */
            currency: string;
            /**
             * Drive
             * Format: name
             * @description slug or name of a drive of the catalogue
             */
            drive: string;
            /**
             * Dwpd
             * @description drive writes per day that it is rated for
             */
            dwpd?: number | null;
            /** Power W */
            power_w?: number | null;
            /** Price */
            price: number;
            /**
             * Source
             * Format: name
             * @description an offer, an address, your own word
             */
            source: string;
            /**
             * Stated On
             * Format: date
             */
            stated_on: string;
        };
        /**
         * PriceEntryOut
         * @description One entry of the list.
         */
        PriceEntryOut: {
            /** Capacity Bytes */
            capacity_bytes: number;
            /** Currency */
            currency: string;
            /** Dwpd */
            dwpd: number | null;
            /** Name */
            name: string;
            /** Power W */
            power_w: number | null;
            /** Price */
            price: number;
            /** Slug */
            slug: string;
            /** Source */
            source: string;
            /**
             * Stated On
             * Format: date
             */
            stated_on: string;
            /** Vendor */
            vendor: string;
        };
        /**
         * PriceIn
         * @description A price, with when and where.
         */
        PriceIn: {
            /**
             * Capacity Bytes
             * @description the capacity that costs so much
             */
            capacity_bytes?: number | null;
            /** Currency */
            currency: string;
            /**
             * Date
             * Format: date
             */
            date: string;
            /**
             * Source
             * Format: name
             */
            source: string;
            /** Value */
            value: number;
        };
        /**
         * PriceListIn
         * @description Entries to add, or the same as CSV; one of the two.
         */
        PriceListIn: {
            /**
             * Csv
             * @description columns drive, capacity, price, currency, power_w, dwpd, date, source
             */
            csv?: string | null;
            /** Entries */
            entries?: components["schemas"]["PriceEntryIn"][] | null;
        };
        /**
         * PriceListOut
         * @description The whole price list of the caller's organisation; other organisations cannot read it.
         */
        PriceListOut: {
            /** Entries */
            entries: components["schemas"]["PriceEntryOut"][];
        };
        /**
         * PriceOut
         * @description A price with what it needs to be worth something.
         */
        PriceOut: {
            /** Currency */
            currency: string;
            /** Date */
            date: string | null;
            /** Source */
            source: string | null;
            /** Value */
            value: number;
        };
        /**
         * PrintedNumberOut
         * @description A printed number, or the words in its place.
         */
        PrintedNumberOut: {
            /** As Printed */
            as_printed: string;
            /**
             * Comparison
             * @enum {string}
             */
            comparison: "=" | "<" | "<=" | ">" | ">=" | "~";
            /**
             * Lower
             * @description least that is printed like this; null: no lower end is known
             */
            lower: number | null;
            /**
             * Unit
             * @description ns, s, h, ratio, ops/s, bytes, bytes/s, W, count, DWPD, x, …
             */
            unit: string;
            /**
             * Unit As Printed
             * @description unit of the digits in `as_printed`; empty where it is words
             */
            unit_as_printed: string;
            /**
             * Upper
             * @description most that is printed like this; null: no upper end is known
             */
            upper: number | null;
            /**
             * Value
             * @description in `unit`; null where no number was printed
             */
            value: number | null;
        };
        /**
         * PrintedOut
         * @description A latency as the tool printed it, beside the interval that the stored distribution supports.
         */
        PrintedOut: {
            /**
             * Line
             * @description of the file, from 1
             */
            line: number | null;
            /**
             * Lower Ns
             * @description null: nothing is known, as of every `deviation`
             */
            lower_ns: number | null;
            /**
             * Part
             * @description phase or device, where the curve is made of several series
             */
            part: string | null;
            /**
             * Printed
             * @description as it stands in the file, with its unit where the file has one
             */
            printed: string;
            /**
             * Quantile
             * @description of `quantile`
             */
            quantile: number | null;
            /**
             * Statistic
             * @enum {string}
             */
            statistic: "quantile" | "mean" | "min" | "max" | "deviation";
            /**
             * Upper Ns
             * @description null: no upper end is known; misses have none
             */
            upper_ns: number | null;
        };
        /**
         * ProbeMark
         * @description That a run is one probe of a search for the highest load.
         */
        ProbeMark: {
            /** Load Per S */
            load_per_s: number;
            /** Objective */
            objective: string;
            /**
             * Search Id
             * @description the same for all probes of a search: the id of its first run
             */
            search_id: string;
            /**
             * Step
             * @description counts from 1
             */
            step: number;
        };
        /**
         * ProbeOut
         * @description One probe: a run at a fixed load, judged by the objective of the search.
         */
        ProbeOut: {
            /**
             * Late Share
             * @description share of operations at or over the limit, misses included; null: it does not count for the bracket
             */
            late_share: number | null;
            /** Load Per S */
            load_per_s: number;
            /** Measured Duration Ns */
            measured_duration_ns: number | null;
            /** Outcome */
            outcome: ("completed" | "stopped" | "failed" | "interrupted") | null;
            /**
             * Quantile Lower Ns
             * @description bounds of the objective's quantile in this run
             */
            quantile_lower_ns: number | null;
            /**
             * Quantile Upper Ns
             * @description null: no upper bound, or nothing known
             */
            quantile_upper_ns: number | null;
            /** Reason Text */
            reason_text: string | null;
            /**
             * Run Id
             * Format: uuid
             */
            run_id: string;
            /**
             * Started At
             * Format: date-time
             */
            started_at: string;
            /**
             * State
             * @enum {string}
             */
            state: "running" | "finishing" | "finished";
            /**
             * Step
             * @description counts from 1
             */
            step: number;
            /** Strength */
            strength: ("proven" | "observed") | null;
            /**
             * Verdict
             * @description null while it is measured
             */
            verdict: ("PASS" | "FAIL" | "INDETERMINATE") | null;
            /**
             * Visibility
             * @enum {string}
             */
            visibility: "private" | "public" | "retracted";
            /**
             * Words
             * @description verdict and strength as a person reads them
             */
            words: string | null;
        };
        /**
         * ProbeWord
         * @description The result of a probe at its load.
         * @enum {string}
         */
        ProbeWord: "PASS" | "FAIL" | "LIMITED";
        /**
         * ProblemDocument
         * @description Body of every refusal.
         */
        ProblemDocument: {
            /**
             * Code
             * @description short name a program can rely on
             */
            code: string;
            /**
             * Detail
             * @description what happened, where, why, and what to do
             */
            detail: string;
            /**
             * Problems
             * @description broken rules, the first 20
             */
            problems: components["schemas"]["LocatedProblem"][];
            /**
             * Request Id
             * @description names this request in the log
             * @default null
             */
            request_id: string | null;
            /**
             * Status
             * @description HTTP status
             */
            status: number;
            /**
             * Title
             * @description the kind of the refusal, the same for every occurrence
             */
            title: string;
            /**
             * Type
             * @description `/problems/<code>`
             */
            type: string;
        };
        /**
         * ProfileIn
         * @description The fields that a person may change of themselves.
         */
        ProfileIn: {
            /**
             * Name
             * Format: name
             */
            name: string;
        };
        /**
         * ProofIn
         * @description A signature of an agent with a key of its own.
         */
        ProofIn: {
            /**
             * Credential Id
             * Format: uuid
             * @description as enrolling gave it
             */
            credential_id: string;
            /**
             * Signature
             * @description Ed25519, base64, of `tailroom short token`, id and moment, a line each
             */
            signature: string;
            /**
             * Unix Ns
             * @description by `GET /api/v1/clock`, later than ever before
             */
            unix_ns: number;
        };
        /**
         * ProposalOut
         * @description Runs that may belong together; they are linked only when the chain is sent.
         */
        ProposalOut: {
            /**
             * Complete
             * @description at least two layers
             */
            complete: boolean;
            /**
             * Runs
             * @description innermost layer first, with the run of the request
             */
            runs: components["schemas"]["ProposedRunOut"][];
        };
        /**
         * ProposedRunOut
         * @description A run that may belong to another.
         */
        ProposedRunOut: {
            /**
             * Layer
             * @enum {string}
             */
            layer: "device" | "server" | "database" | "network";
            /** Operation */
            operation?: string | null;
            /**
             * Reasons
             * @description what they share: campaign, host, device, time
             */
            reasons: string[];
            /**
             * Run Id
             * Format: uuid
             */
            run_id: string;
            /** Title */
            title: string;
        };
        /**
         * PublicationIn
         * @description What becomes visible besides the measurement.
         */
        PublicationIn: {
            /**
             * Shown
             * @description kinds of names that others read as they are
             */
            shown?: ("hosts" | "devices" | "paths" | "notes")[];
        };
        /**
         * PublicationOut
         * @description A publication with everything that it claims.
         */
        PublicationOut: {
            /** Claim Count */
            claim_count: number;
            /**
             * Conditions
             * @description how was measured, as far as it is said
             */
            conditions: {
                [key: string]: string | boolean | number | null;
            };
            /** Date As Printed */
            date_as_printed: string | null;
            /**
             * Document
             * @description what the numbers were read from
             */
            document: string;
            /** Findings */
            findings: components["schemas"]["FindingOut"][];
            /**
             * Kind
             * @enum {string}
             */
            kind: "vendor" | "third_party" | "commissioned";
            /** Not Disclosed */
            not_disclosed: string[];
            /** Publisher */
            publisher: string;
            /** Recomputed */
            recomputed: components["schemas"]["RecomputedOut"][];
            /** Slug */
            slug: string;
            /** Specs */
            specs: components["schemas"]["SpecOut"][];
            /** Tables */
            tables: components["schemas"]["ClaimTableOut"][];
            /** Title */
            title: string;
            /** Url */
            url: string | null;
        };
        /**
         * PublicationsOut
         * @description Every publication.
         */
        PublicationsOut: {
            /** Publications */
            publications: components["schemas"]["PublicationSummaryOut"][];
        };
        /**
         * PublicationSummaryOut
         * @description A publication in a list.
         */
        PublicationSummaryOut: {
            /** Claim Count */
            claim_count: number;
            /** Date As Printed */
            date_as_printed: string | null;
            /**
             * Finding Count
             * @description checks that found something wrong or doubtful, and notes
             */
            finding_count: number;
            /**
             * High Count
             * @description … those of high severity
             */
            high_count: number;
            /**
             * Kind
             * @enum {string}
             */
            kind: "vendor" | "third_party" | "commissioned";
            /** Publisher */
            publisher: string;
            /** Row Count */
            row_count: number;
            /** Slug */
            slug: string;
            /** Title */
            title: string;
            /** Url */
            url: string | null;
        };
        /**
         * PublishedSubjectOut
         * @description A published configuration that may be named as a subject.
         */
        PublishedSubjectOut: {
            /** Label */
            label: string;
            /**
             * Of Drive
             * @description measured on a drive, not on a database
             */
            of_drive: boolean;
            /** Publication Slug */
            publication_slug: string;
            /** Publication Title */
            publication_title: string;
            /** Subject */
            subject: string;
        };
        /**
         * PublishedSubjectsOut
         * @description In the order of the documents.
         */
        PublishedSubjectsOut: {
            /** Subjects */
            subjects: components["schemas"]["PublishedSubjectOut"][];
        };
        /**
         * QuantileLimitDocument
         * @description The quantile must lie below `below_ns`.
         */
        QuantileLimitDocument: {
            /** Below Ns */
            below_ns: number;
            /** Quantile */
            quantile: number;
        };
        /**
         * QuantilePointOut
         * @description Between which latencies a quantile lies; no upper end where it falls among the misses.
         */
        QuantilePointOut: {
            /** Lower Ns */
            lower_ns: number;
            /** Quantile */
            quantile: number;
            /** Upper Ns */
            upper_ns: number | null;
        };
        /**
         * QuantileRatioOut
         * @description Bounds of the ratio `new / base` of a quantile, by the records alone.
         */
        QuantileRatioOut: {
            /** Lower */
            lower: number | null;
            /** Quantile */
            quantile: number;
            /** Upper */
            upper: number | null;
        };
        /**
         * QuotaOut
         * @description Limits, and what is there.
         */
        QuotaOut: {
            limits: components["schemas"]["LimitsOut"];
            usage: components["schemas"]["UsageOut"];
        };
        /**
         * RampOut
         * @description What lies before `cut_ns` is not the state to be measured; verdicts do not leave it out.
         */
        RampOut: {
            /** Cut Ns */
            cut_ns: number | null;
            /** Mser Cut Ns */
            mser_cut_ns: number | null;
            /** Reason */
            reason: string | null;
        };
        /**
         * RandomCountDocument
         * @description A count that differs from transaction to transaction.
         */
        RandomCountDocument: {
            /**
             * Weights
             * @description count → its share of all transactions; together 1
             */
            weights: {
                [key: string]: number;
            };
        };
        /**
         * RankOut
         * @description Best and worst rank that the rating allows among the rows of the same conditions.
         */
        RankOut: {
            /**
             * Among
             * @description rows of the same conditions
             */
            among: number;
            /** Best */
            best: number;
            /** Worst */
            worst: number;
        };
        /**
         * RatingLimitOut
         * @description Strictly less than `limit_ratio` of the reads may take `threshold_ns` or longer.
         */
        RatingLimitOut: {
            /** Limit Ratio */
            limit_ratio: number;
            /** Threshold Ns */
            threshold_ns: number;
        };
        /**
         * RatingOut
         * @description `[passed_load, failed_load)`: highest passed load, lowest failed load above it.
         */
        RatingOut: {
            /**
             * Failed Load
             * @description null: never failed above
             */
            failed_load: number | null;
            /**
             * Failed Strength
             * @description the same of the fail
             */
            failed_strength: ("proven" | "observed") | null;
            /**
             * Never Tested Above
             * @description nothing above the highest passed load was ever decided
             */
            never_tested_above: boolean;
            /**
             * Passed Load
             * @description null: none passed
             */
            passed_load: number | null;
            /**
             * Passed Strength
             * @description how far the pass carries: proven, or observed in its test; null: none passed
             */
            passed_strength: ("proven" | "observed") | null;
            /**
             * Violations
             * @description where tests break the rule that more load is never easier
             */
            violations: string[];
        };
        /**
         * RatingQuestionOut
         * @description An own SLA as it was understood.
         */
        RatingQuestionOut: {
            /**
             * Document
             * @description the budget's document; null for plain thresholds
             */
            document: {
                [key: string]: unknown;
            } | null;
            /**
             * Kind
             * @enum {string}
             */
            kind: "thresholds" | "budget";
            /**
             * Limits
             * @description of thresholds; empty for a budget about transactions
             */
            limits: components["schemas"]["RatingLimitOut"][];
            /** Title */
            title: string;
        };
        /**
         * RatingRuleSetOut
         * @description The rules that ratings follow unless the question brings its own.
         */
        RatingRuleSetOut: {
            /** Limits */
            limits: components["schemas"]["RatingLimitOut"][];
            /**
             * Min Duration Ns
             * @description how long a test must last to count in full; 0: any length
             */
            min_duration_ns: number;
            /** Name */
            name: string;
            /** Question */
            question: string;
            /**
             * Slice Ns
             * @description every full slice of this length keeps the limits; null: the whole
             */
            slice_ns: number | null;
            /** Title */
            title: string;
            /** Version */
            version: number;
        };
        /**
         * Readiness
         * @description What works. Without Valkey everything is stored and shown, only later: that is `degraded`, not
         *     unavailable.
         */
        Readiness: {
            /** Database */
            database: boolean;
            /** Migrations */
            migrations: boolean;
            /** Prepared */
            prepared: boolean;
            /**
             * Status
             * @enum {string}
             */
            status: "ready" | "degraded" | "unavailable";
            /** Valkey */
            valkey: boolean;
        };
        /**
         * RecomputedOut
         * @description A printed number beside what other printed numbers give for it.
         */
        RecomputedOut: {
            /**
             * Agrees
             * @description whether both can be one number; null where none was printed
             */
            agrees: boolean | null;
            /**
             * Claim Key
             * @description the claim that it stands beside
             */
            claim_key: string;
            /**
             * How
             * @description rounded, truncated or wrong, for a printed gain
             */
            how: string | null;
            /** Label */
            label: string;
            /** Lower */
            lower: number | null;
            /**
             * Rests On
             * @description keys of the claims that it is calculated from
             */
            rests_on: string[];
            /** Unit */
            unit: string;
            /** Upper */
            upper: number | null;
            /** Value */
            value: number | null;
        };
        /**
         * RecoveryCodesOut
         * @description Recovery codes for a lost app, each valid once; not returned again.
         */
        RecoveryCodesOut: {
            /** Codes */
            codes: string[];
        };
        /**
         * RefusalIn
         * @description A command that the agent did not follow.
         */
        RefusalIn: {
            /** Campaign Id */
            campaign_id?: string | null;
            /**
             * Sentence
             * Format: reported
             */
            sentence: string;
        };
        /**
         * RefusalOut
         * @description A command that an agent did not follow.
         */
        RefusalOut: {
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Sentence */
            sentence: string;
        };
        /**
         * RelaxationOut
         * @description A question that asks less, and that the record passes.
         */
        RelaxationOut: {
            /**
             * Document
             * @description the whole question, to be asked
             */
            document: components["schemas"]["TransactionDocument"] | components["schemas"]["ExceedanceDocument"] | components["schemas"]["PercentileDocument"] | components["schemas"]["ThroughputDocument"] | components["schemas"]["CompletionDocument"] | components["schemas"]["RuleSetDocument"];
            /**
             * Kind
             * @description what differs from the question that was asked
             * @enum {string}
             */
            kind: "objective" | "window" | "count" | "limits";
            /**
             * Text
             * @description the changed part, in words
             */
            text: string;
        };
        /**
         * RelaxationsOut
         * @description The least changes, one of each kind; none where the record passes as asked, or none of them helps.
         */
        RelaxationsOut: {
            budget: components["schemas"]["BudgetEchoOut"];
            /**
             * Complete
             * @description false: the time for an answer was over before all were tried
             * @default true
             */
            complete: boolean;
            /** Relaxations */
            relaxations: components["schemas"]["RelaxationOut"][];
        };
        /**
         * RelaxIn
         * @description How little less has to be asked for this record to pass?
         */
        RelaxIn: {
            budget: components["schemas"]["BudgetChoiceIn"];
            subject: components["schemas"]["SubjectIn"];
        };
        /**
         * RetentionOut
         * @description How long what is stored.
         */
        RetentionOut: {
            /** @description the shorter of both below; null: until it is deleted */
            holds: components["schemas"]["DaysOut"];
            /** @description as an operator has set it; null: without end */
            longest: components["schemas"]["DaysOut"];
            /** @description as an owner has set it; null: as long as possible */
            wanted: components["schemas"]["DaysOut"];
        };
        /**
         * RetractionIn
         * @description Why a run is withdrawn.
         */
        RetractionIn: {
            /**
             * Reason
             * @description shown to everybody
             */
            reason?: string | null;
        };
        /**
         * RetriedOut
         * @description Work that is retried.
         */
        RetriedOut: {
            /**
             * Works
             * @description how many works are due again; 0: nothing had failed
             */
            works: number;
        };
        /**
         * RetryOut
         * @description Work that is retried.
         */
        RetryOut: {
            /**
             * Works
             * @description how many works are due again; 0: nothing had failed
             */
            works: number;
        };
        /**
         * ReturnIn
         * @description The parameters with which the provider sent the browser back.
         */
        ReturnIn: {
            /**
             * Code
             * Format: password
             */
            code: string;
            /**
             * Iss
             * @description issuer, where the provider says it
             */
            iss?: string | null;
            /**
             * State
             * Format: password
             */
            state: string;
        };
        /**
         * RoleIn
         * @description Another role.
         */
        RoleIn: {
            /**
             * Role
             * @enum {string}
             */
            role: "viewer" | "engineer" | "admin" | "owner";
        };
        /**
         * RoomOut
         * @description The room that a judged transaction leaves, as lists draw it.
         */
        RoomOut: {
            /** Quantile Lower Ns */
            quantile_lower_ns: number | null;
            /** Reserve Ns */
            reserve_ns: number;
            /** Room Lower Ns */
            room_lower_ns: number | null;
            /** Room Upper Ns */
            room_upper_ns: number | null;
            /** Window Ns */
            window_ns: number;
        };
        /**
         * RotationIn
         * @description How a token is replaced.
         */
        RotationIn: {
            /**
             * Overlap Hours
             * @description how long the old one holds on; 0: it ends at once
             * @default 0
             */
            overlap_hours: number;
        };
        /**
         * RuleSetDocument
         * @description Several budgets that must all be kept.
         */
        RuleSetDocument: {
            /** Criteria */
            criteria: (components["schemas"]["TransactionDocument"] | components["schemas"]["ExceedanceDocument"] | components["schemas"]["PercentileDocument"] | components["schemas"]["ThroughputDocument"] | components["schemas"]["CompletionDocument"])[];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "rule_set";
            /**
             * Name
             * Format: lookup
             * @description lower-case words joined by hyphens
             */
            name: string;
            /**
             * Question
             * Format: text
             * @default
             */
            question: string;
            /**
             * Title
             * Format: name
             * @default
             */
            title: string;
            /**
             * Version
             * @default 1
             */
            version: number;
        };
        /**
         * RunDetail
         * @description Everything about one run except its distributions.
         */
        RunDetail: {
            /** Agent */
            agent: {
                [key: string]: unknown;
            };
            /**
             * Closed Loop
             * @description the next operation waited for the answer: no response times
             */
            closed_loop: boolean;
            /** Data Through Ns */
            data_through_ns: number;
            disclosure: components["schemas"]["DisclosureOut"];
            /**
             * End State
             * @description how the run ended, by the content of its file
             */
            end_state: ("finished" | "device_too_slow" | "generator_too_slow" | "failed" | "killed" | "growing" | "unknown") | null;
            /**
             * Files
             * @description what an uploaded run was read from; private
             */
            files: components["schemas"]["SourceFileOut"][];
            /**
             * Format
             * @description importer and kind of file
             */
            format: string | null;
            /**
             * Given Up
             * @description calculations that failed too often; for its owner
             */
            given_up: components["schemas"]["GivenUpOut"][];
            /** Host */
            host: {
                [key: string]: unknown;
            };
            /** Host Name */
            host_name: string | null;
            /**
             * Is Own
             * @description of the organisation that asks, which alone may change or delete it
             */
            is_own: boolean;
            /**
             * Judged At
             * @description when verdicts were last worked out, if only to find that there are none
             */
            judged_at: string | null;
            /** @description null: the run is no step of a load ladder */
            ladder: components["schemas"]["LadderMark"] | null;
            /**
             * Last Data At
             * @description when the last new interval was stored
             */
            last_data_at: string | null;
            /**
             * Measured Duration Ns
             * @description null until the agent has finished
             */
            measured_duration_ns: number | null;
            /** Missing */
            missing: components["schemas"]["MissingRange"][];
            /** Outcome */
            outcome: ("completed" | "stopped" | "failed" | "interrupted") | null;
            /** Outcome Reason */
            outcome_reason: string | null;
            /**
             * Phase Kind
             * @description of a database plan: fills the database or warms it up, and is not judged
             */
            phase_kind: ("load" | "warm-up") | null;
            /** Plan */
            plan: {
                [key: string]: unknown;
            };
            /** Planned Duration Ns */
            planned_duration_ns: number;
            /**
             * Planned Operations
             * @description operations after which the run ends, as loading a database does; null where time ends it
             */
            planned_operations: number | null;
            /** @description null: the run is no probe of a search for the highest load */
            probe: components["schemas"]["ProbeMark"] | null;
            /** Problems */
            problems: components["schemas"]["FileProblemOut"][];
            /** Published At */
            published_at: string | null;
            /**
             * Removed
             * @description what retention has removed last; without minutes there is no course over time
             */
            removed: ("ticks" | "intervals" | "minutes") | null;
            /** Retracted At */
            retracted_at: string | null;
            /** Retraction Reason */
            retraction_reason: string | null;
            /**
             * Run Id
             * Format: uuid
             */
            run_id: string;
            /** Series */
            series: components["schemas"]["SeriesOut"][];
            /**
             * Shown Names
             * @description kinds of names that others read as they are, once published
             */
            shown_names: ("hosts" | "devices" | "paths" | "notes")[];
            /**
             * Simulated
             * @description simulated by an engine without a drive or server; never ranked or matched
             */
            simulated: boolean;
            /**
             * Source
             * @description measured by an agent of ours, or read from an uploaded file
             * @enum {string}
             */
            source: "agent" | "upload";
            /**
             * Started At
             * Format: date-time
             */
            started_at: string;
            /**
             * Started At Known
             * @description false: `started_at` is when the file came
             */
            started_at_known: boolean;
            /**
             * State
             * @enum {string}
             */
            state: "running" | "finishing" | "finished";
            /** Stop Requested At */
            stop_requested_at: string | null;
            /**
             * Target Name
             * @description the device or server that was measured
             */
            target_name: string | null;
            /** Title */
            title: string;
            /**
             * Tool
             * @description of an uploaded file; null for runs of agents
             */
            tool: string | null;
            /** Tool Version */
            tool_version: string | null;
            /**
             * Verdicts
             * @description the answer of the run first
             */
            verdicts: components["schemas"]["VerdictOut"][];
            /**
             * Visibility
             * @enum {string}
             */
            visibility: "private" | "public" | "retracted";
            /** Workload */
            workload: string;
        };
        /**
         * RunFindingsOut
         * @description Findings of the checks about one run.
         */
        RunFindingsOut: {
            /**
             * Audit Version
             * @description version of the checks; null: not audited yet
             */
            audit_version: number | null;
            /** Findings */
            findings: components["schemas"]["FindingOut"][];
            /**
             * Run Id
             * Format: uuid
             */
            run_id: string;
        };
        /**
         * RunNamesOut
         * @description Private names of a run, by kind.
         */
        RunNamesOut: {
            /** Devices */
            devices: string[];
            /** Hosts */
            hosts: string[];
            /** Notes */
            notes: string[];
            /** Paths */
            paths: string[];
        };
        /**
         * RunPage
         * @description A page of runs, newest first.
         */
        RunPage: {
            /**
             * Next Cursor
             * @description give it as `cursor` for the next page; null on the last one
             */
            next_cursor: string | null;
            /** Runs */
            runs: components["schemas"]["RunSummary"][];
            /**
             * Total
             * @description runs that match, on all pages; 10,000 where there are more
             */
            total: number;
            /**
             * Total Is Exact
             * @description false: more than `total` match
             */
            total_is_exact: boolean;
        };
        /**
         * RunSummary
         * @description A run in a list.
         */
        RunSummary: {
            /**
             * Closed Loop
             * @description the next operation waited for the answer: no response times
             */
            closed_loop: boolean;
            /** Host Name */
            host_name: string | null;
            /** @description null: the run is no step of a load ladder */
            ladder: components["schemas"]["LadderMark"] | null;
            /**
             * Last Data At
             * @description when the last new interval was stored
             */
            last_data_at: string | null;
            /**
             * Measured Duration Ns
             * @description null until the agent has finished
             */
            measured_duration_ns: number | null;
            /** Outcome */
            outcome: ("completed" | "stopped" | "failed" | "interrupted") | null;
            /**
             * Phase Kind
             * @description of a database plan: fills the database or warms it up, and is not judged
             */
            phase_kind: ("load" | "warm-up") | null;
            /** Planned Duration Ns */
            planned_duration_ns: number;
            /**
             * Planned Operations
             * @description operations after which the run ends, as loading a database does; null where time ends it
             */
            planned_operations: number | null;
            /** @description null: the run is no probe of a search for the highest load */
            probe: components["schemas"]["ProbeMark"] | null;
            /**
             * Run Id
             * Format: uuid
             */
            run_id: string;
            /**
             * Simulated
             * @description simulated by an engine without a drive or server; never ranked or matched
             */
            simulated: boolean;
            /**
             * Source
             * @description measured by an agent of ours, or read from an uploaded file
             * @enum {string}
             */
            source: "agent" | "upload";
            /**
             * Started At
             * Format: date-time
             */
            started_at: string;
            /**
             * Started At Known
             * @description false: `started_at` is when the file came
             */
            started_at_known: boolean;
            /**
             * State
             * @enum {string}
             */
            state: "running" | "finishing" | "finished";
            /** Title */
            title: string;
            /**
             * Tool
             * @description of an uploaded file; null for runs of agents
             */
            tool: string | null;
            /** Tool Version */
            tool_version: string | null;
            /**
             * Verdicts
             * @description the answer of the run first
             */
            verdicts: components["schemas"]["VerdictSummaryOut"][];
            /**
             * Visibility
             * @enum {string}
             */
            visibility: "private" | "public" | "retracted";
            /** Workload */
            workload: string;
        };
        /**
         * SamplesIn
         * @description Seconds in order; each has a number for each gauge, or null.
         */
        SamplesIn: {
            /** First */
            first: number;
            /** Samples */
            samples: (number | null)[][];
        };
        /**
         * SamplesOut
         * @description The stored seconds.
         */
        SamplesOut: {
            /**
             * Next
             * @description the number of the next second that is expected
             */
            next: number;
        };
        /**
         * SavedChangeIn
         * @description Items to save, and items to remove.
         */
        SavedChangeIn: {
            /** Add */
            add?: components["schemas"]["SavedItem"][];
            /** Remove */
            remove?: string[];
        };
        /**
         * SavedItem
         * @description A place to come back to.
         */
        SavedItem: {
            /**
             * Address
             * @description of a page of this product: path and query, without the host
             */
            address: string;
            /**
             * Kind
             * @enum {string}
             */
            kind: "question" | "shortlist" | "drive" | "run";
            /**
             * Title
             * Format: name
             */
            title: string;
        };
        /**
         * SavedOut
         * @description The saved items of the person, the newest first.
         */
        SavedOut: {
            /** Items */
            items: components["schemas"]["SavedItem"][];
        };
        /**
         * ScopeOut
         * @description The answer in one scope: for this run (observed) or for the next one (proven, with 95 % confidence).
         */
        ScopeOut: {
            /**
             * Lower
             * @description in the unit of the headline; null of rates, ends and rule sets
             */
            lower: number | null;
            /** Upper */
            upper: number | null;
            /**
             * Verdict
             * @enum {string}
             */
            verdict: "PASS" | "FAIL" | "INDETERMINATE";
        };
        /**
         * SecondFactorBegunOut
         * @description What an app needs; not given again.
         */
        SecondFactorBegunOut: {
            /**
             * Secret
             * @description Base32, to be typed
             */
            secret: string;
            /**
             * Uri
             * @description the same as an address, for a QR code
             */
            uri: string;
        };
        /**
         * SecondFactorCodeIn
         * @description A code of the second factor.
         */
        SecondFactorCodeIn: {
            /**
             * Code
             * Format: password
             * @description of the app, or a recovery code
             */
            code: string;
        };
        /**
         * SecondFactorOffIn
         * @description What turning the second factor off takes: both.
         */
        SecondFactorOffIn: {
            /**
             * Code
             * Format: password
             * @description of the app, or a recovery code
             */
            code: string;
            /**
             * Present
             * Format: password
             */
            present: string;
        };
        /**
         * SecondFactorOut
         * @description Whether there is a second factor.
         */
        SecondFactorOut: {
            /**
             * Confirmed At
             * @description since when; null: there is none
             */
            confirmed_at: string | null;
            /**
             * Recovery Codes
             * @description that are left
             */
            recovery_codes: number;
        };
        /**
         * SecondFactorRuleIn
         * @description Whether an organisation asks its members for a second factor.
         */
        SecondFactorRuleIn: {
            /** Needed */
            needed: boolean;
        };
        /**
         * SeriesDefinition
         * @description The meaning of a series number.
         */
        SeriesDefinition: {
            /** @enum {unknown} */
            clock: "operation" | "queue" | "response" | "service";
            /** @default null */
            device: string | null;
            /** Format: line */
            host: string;
            /** @enum {unknown} */
            kind: "histogram" | "tick";
            /** @default null */
            layout: components["schemas"]["Layout"] | null;
            operation: string;
            /**
             * Format: line
             * @default main
             */
            phase: string;
            pin_thresholds_ns: number[];
            series_no: number;
            /** @default null */
            target_rate_per_s: number | null;
        };
        /**
         * SeriesOut
         * @description A series and how far its intervals have arrived.
         */
        SeriesOut: {
            /**
             * Clock
             * @enum {string}
             */
            clock: "response" | "service" | "operation" | "queue";
            /**
             * Contiguous Seq
             * @description up to here nothing is missing; −1 for none
             */
            contiguous_seq: number;
            /** Device */
            device: string | null;
            /** Host */
            host: string;
            /**
             * Kind
             * @enum {string}
             */
            kind: "tick" | "histogram" | "statement";
            layout: components["schemas"]["LayoutOut"] | null;
            /**
             * Missing Intervals
             * @description pieces that an uploaded file numbers itself and that are not in it
             */
            missing_intervals: number;
            /** Operation */
            operation: string;
            /**
             * Periods
             * @description of an uploaded run whose file has no counts over time
             */
            periods: components["schemas"]["PeriodOut"][];
            /** Phase */
            phase: string;
            /** Pin Thresholds Ns */
            pin_thresholds_ns: number[];
            /** Received Count */
            received_count: number;
            /**
             * Semantics
             * @description what exactly an uploaded file timed
             */
            semantics: string | null;
            /** Series No */
            series_no: number;
            /**
             * Source Name
             * @description what the uploaded file itself calls it
             */
            source_name: string | null;
            /**
             * Target Count
             * @description operations that the schedule of an uploaded run intended; null where that is not known
             */
            target_count: number | null;
            /** Target Rate Per S */
            target_rate_per_s: number | null;
        };
        /**
         * SeriesSteadinessOut
         * @description One quantity over the rounds.
         */
        SeriesSteadinessOut: {
            /**
             * First Round
             * @description opens its first steady window
             */
            first_round: number | null;
            /** Name */
            name: string;
            /** Reason */
            reason: string | null;
            window: components["schemas"]["SteadyWindowOut"] | null;
        };
        /**
         * ServingAgentOut
         * @description A host whose agent asks for work.
         */
        ServingAgentOut: {
            /**
             * Agent Id
             * Format: uuid
             */
            agent_id: string;
            /**
             * Campaign Id
             * @description that it takes part in now
             */
            campaign_id: string | null;
            /** Campaign Title */
            campaign_title: string | null;
            /**
             * Clock Error Ns
             * @description largest error of its estimate of this clock
             */
            clock_error_ns: number | null;
            /**
             * Enrolled At
             * Format: date-time
             */
            enrolled_at: string;
            /** Inventory */
            inventory: {
                [key: string]: unknown;
            };
            /** Name */
            name: string;
            /**
             * Present
             * @description it asked within the last minute
             */
            present: boolean;
            /** Refusals */
            refusals: components["schemas"]["RefusalOut"][];
            /**
             * Seen At
             * Format: date-time
             */
            seen_at: string;
            /** Version */
            version: string;
            /**
             * Wall Clock Ahead Ns
             * @description how far the clock of its machine is ahead
             */
            wall_clock_ahead_ns: number | null;
        };
        /**
         * ServingAgentsOut
         * @description Agents by name.
         */
        ServingAgentsOut: {
            /** Agents */
            agents: components["schemas"]["ServingAgentOut"][];
        };
        /**
         * SessionOut
         * @description Who asks, how they are known, and what they may do.
         */
        SessionOut: {
            /**
             * Access
             * @description `local`: this machine, without a token; `token`: an access token or a session made with one; `person`: somebody signed in; `visitor`: nobody, who sees what is published
             * @enum {string}
             */
            access: "local" | "token" | "person" | "visitor";
            /**
             * Capabilities
             * @description what the caller may do, in alphabetical order
             */
            capabilities: components["schemas"]["Capability"][];
            organisation: components["schemas"]["OrganisationOut"];
            person: components["schemas"]["PersonOut"] | null;
            /**
             * Scope
             * @description of the token, or the person's role in the organisation
             */
            scope: ("agent" | "viewer" | "engineer") | ("viewer" | "engineer" | "admin" | "owner");
        };
        /**
         * ShareLimitsOut
         * @description Two-sided 95 % limits of a share.
         */
        ShareLimitsOut: {
            /** Lower */
            lower: number;
            /** Upper */
            upper: number;
        };
        /**
         * ShortTokenOut
         * @description What lets the agent in for some minutes.
         */
        ShortTokenOut: {
            /** Expires In S */
            expires_in_s: number;
            /** Token */
            token: string;
        };
        /**
         * SiblingLevelOut
         * @description Level and spread of the siblings in one quantity.
         */
        SiblingLevelOut: {
            /** Level */
            level: number;
            /** Quantity */
            quantity: string;
            /**
             * Shown Ratio
             * @description a unit this share away is shown in nine of ten cases
             */
            shown_ratio: number;
            /**
             * Spread Ratio
             * @description standard deviation of the siblings, as a share
             */
            spread_ratio: number;
            /** Units */
            units: number;
        };
        /**
         * SiblingsOut
         * @description Every unit of a phase against the others.
         */
        SiblingsOut: {
            /** Answer */
            answer: string;
            /** Better */
            better: number;
            /** Campaign Ids */
            campaign_ids: string[];
            /** Clock */
            clock: ("response" | "service" | "operation" | "queue") | null;
            /**
             * Effect
             * @description worse: a unit is; open: nothing can be said of the fleet
             * @enum {string}
             */
            effect: "better" | "worse" | "same" | "open";
            /**
             * Error
             * @description chance that any unit of an even fleet is called different
             */
            error: number;
            /** Levels */
            levels: components["schemas"]["SiblingLevelOut"][];
            /** Method Version */
            method_version: number;
            /** Not Judged */
            not_judged: number;
            /**
             * Operation
             * @description null where nothing was measured
             */
            operation: string | null;
            /** Operations */
            operations: string[];
            /** Phase */
            phase: string;
            /** Phases */
            phases: string[];
            /**
             * Smallest Ratio
             * @description smaller differences are not called one
             */
            smallest_ratio: number;
            /** Title */
            title: string;
            /**
             * Units
             * @description those that stand out first, the largest difference first
             */
            units: components["schemas"]["SiblingUnitOut"][];
            /** Worse */
            worse: number;
        };
        /**
         * SiblingUnitOut
         * @description One drive, node or link.
         */
        SiblingUnitOut: {
            /** Agent */
            agent: string;
            /**
             * Causes
             * @description the rarest among the siblings first
             */
            causes: components["schemas"]["CauseOut"][];
            /** Deviations */
            deviations: components["schemas"]["DeviationOut"][];
            /**
             * Device
             * @description null where the unit is the whole run of its agent
             */
            device: string | null;
            /**
             * Effect
             * @enum {string}
             */
            effect: "better" | "worse" | "same" | "open";
            /** Measured Ns */
            measured_ns: number;
            /** Name */
            name: string;
            /**
             * Reason
             * @description why it was not judged; empty where it was
             */
            reason: string;
            /**
             * Run Id
             * Format: uuid
             */
            run_id: string;
        };
        /**
         * SignIn
         * @description A viewer's or an engineer's token, to be kept as a session.
         */
        SignIn: {
            /**
             * Token
             * Format: password
             * @description as `tailroom token create` printed it
             */
            token: string;
        };
        /**
         * SignUpIn
         * @description A request for an account.
         */
        SignUpIn: {
            /**
             * Email
             * Format: email
             */
            email: string;
            /**
             * Invitation
             * @description code of an invitation to this address
             */
            invitation?: string | null;
            /**
             * Organisation
             * @description name of the organisation to be made, whose owner they become
             */
            organisation?: string | null;
        };
        /**
         * SizeIn
         * @description How many nodes does a rate of transactions take?
         */
        SizeIn: {
            budget: components["schemas"]["BudgetChoiceIn"];
            /** Data Bytes */
            data_bytes?: number | null;
            /**
             * Fill Ratio
             * @description share of the capacity to fill at most
             */
            fill_ratio?: number | null;
            /**
             * Headroom Ratio
             * @description share of a node's proven load that is planned with
             * @default 0.7
             */
            headroom_ratio: number;
            /**
             * Replication Factor
             * @description copies of every record
             * @default 1
             */
            replication_factor: number;
            subject: components["schemas"]["SubjectIn"];
            /** Target Transactions Per S */
            target_transactions_per_s: number;
            /**
             * Tolerated Failures
             * @description nodes that may fail without harm
             * @default 0
             */
            tolerated_failures: number;
            /**
             * Usable Capacity Bytes
             * @description of one node
             */
            usable_capacity_bytes?: number | null;
            /** Writes Per S */
            writes_per_s?: number | null;
            /**
             * Writes Per S Per Node
             * @description proven for one node; null: unknown
             */
            writes_per_s_per_node?: number | null;
        };
        /**
         * SizeOut
         * @description Nodes for a rate of transactions; null where the record does not carry an answer.
         */
        SizeOut: {
            /** Assumptions */
            assumptions: string[];
            budget: components["schemas"]["BudgetEchoOut"];
            /** Decided By */
            decided_by: string | null;
            /**
             * Goodput Transactions Per S
             * @description of one node at that load: transactions within the window, at least
             */
            goodput_transactions_per_s: number | null;
            /** Nodes */
            nodes: number | null;
            /** Parts */
            parts: components["schemas"]["SizePartOut"][];
            /**
             * Reads Per S Per Node
             * @description load at which the record was taken
             */
            reads_per_s_per_node: number | null;
            /** Reason */
            reason: ("resolution" | "samples" | "dependence" | "duration" | "generator" | "metadata") | null;
            /**
             * Reason Text
             * @description why there is no number, or what the verdict rests on
             */
            reason_text: string | null;
            /**
             * Strength
             * @description how far the verdict carries
             */
            strength?: ("proven" | "observed") | null;
            subject: components["schemas"]["SubjectOut"];
            /**
             * Transactions Per S Per Node
             * @description of the asked kind, at that load
             */
            transactions_per_s_per_node: number | null;
            /**
             * Verdict
             * @description of the subject, at the load at which it was measured
             * @enum {string}
             */
            verdict: "PASS" | "FAIL" | "INDETERMINATE";
        };
        /**
         * SizePartOut
         * @description One demand, and the nodes that it alone takes.
         */
        SizePartOut: {
            /** Arithmetic */
            arithmetic: string;
            /**
             * Name
             * @enum {string}
             */
            name: "reads" | "writes" | "data" | "copies" | "tolerated_failures";
            /** Nodes */
            nodes: number;
        };
        /**
         * SourceFileOut
         * @description A file that a run was read from; `sha256` finds it under /api/v1/raw-files.
         */
        SourceFileOut: {
            /**
             * Is Current
             * @description the longest copy: what is shown was read from it
             */
            is_current: boolean;
            /** Name */
            name: string;
            /**
             * Read At
             * Format: date-time
             */
            read_at: string;
            /** Sha256 */
            sha256: string;
            /** Size Bytes */
            size_bytes: number;
        };
        /**
         * SpecOut
         * @description A statement of the document about an item of the catalogue.
         */
        SpecOut: {
            /** Facts */
            facts: components["schemas"]["FactOut"][];
            /**
             * Kind
             * @enum {string}
             */
            kind: "drive" | "server" | "network" | "database" | "workload";
            /** Name */
            name: string;
            /** Slug */
            slug: string;
            /** Vendor */
            vendor: string;
        };
        /**
         * StageDocument
         * @description One stage of a transaction; stages follow each other.
         */
        StageDocument: {
            /**
             * Count
             * @description operations in this stage
             */
            count: number | components["schemas"]["RandomCountDocument"];
            /**
             * Fan Out
             * @description operations under way at the same time
             * @default 1
             */
            fan_out: number;
            /**
             * Operation
             * Format: line
             * @default read
             */
            operation: string;
            /**
             * Overhead Ns
             * @description constant time of the stage besides its operations
             * @default 0
             */
            overhead_ns: number;
            /**
             * Scheduling
             * @description default: sequential for a fan-out of 1, parallel where all are at once, else pool
             */
            scheduling?: ("sequential" | "parallel" | "waves" | "pool") | null;
        };
        /**
         * StandingOut
         * @description How far a row is borne out.
         */
        StandingOut: {
            /** Reason */
            reason: string;
            /**
             * Runs Made
             * @description runs of the same plans and drive by the organisations of published runs, also private ones; null: not counted
             */
            runs_made: number | null;
            /**
             * Runs Published
             * @description of these
             */
            runs_published: number;
            /**
             * Serials
             * @description drives with different serial numbers
             */
            serials: number;
            /**
             * Spread Ratio
             * @description between drives, in the share at the first limit, of what it allows; null with one drive
             */
            spread_ratio: number | null;
            /**
             * Standing
             * @enum {string}
             */
            standing: "self-reported" | "repeated" | "confirmed" | "contradicted";
            /**
             * Testers
             * @description organisations and publishers
             */
            testers: number;
            /** Tests */
            tests: number;
        };
        /**
         * SteadyStateOut
         * @description When all quantities are steady for the first time.
         */
        SteadyStateOut: {
            /** End Ns */
            end_ns: number | null;
            /** First Round */
            first_round: number | null;
            /** Reason */
            reason: string | null;
            /** Round Ns */
            round_ns: number;
            /** Rounds */
            rounds: number;
            /** Series */
            series: components["schemas"]["SeriesSteadinessOut"][];
            /** Start Ns */
            start_ns: number | null;
        };
        /**
         * SteadyWindowOut
         * @description Five rounds by the rule of the SNIA performance test specification.
         */
        SteadyWindowOut: {
            /**
             * Excursion Ratio
             * @description of the fitted line, as a part of the mean
             */
            excursion_ratio: number | null;
            /** Is Steady */
            is_steady: boolean;
            /** Mean */
            mean: number;
            /**
             * Range Ratio
             * @description largest less smallest round, as a part of the mean
             */
            range_ratio: number | null;
        };
        /**
         * StepOut
         * @description Where a quantity changed its level.
         */
        StepOut: {
            /** After */
            after: number;
            /** At Ns */
            at_ns: number;
            /** Before */
            before: number;
            /** P Value */
            p_value: number;
            /**
             * Step Ratio
             * @description larger of both relative steps; null from or to 0
             */
            step_ratio: number | null;
        };
        /**
         * StepsOut
         * @description Changes of a quantity that is no share.
         */
        StepsOut: {
            /** Quantity */
            quantity: string;
            /** Reason */
            reason: string | null;
            /** Slice Ns */
            slice_ns: number;
            /** Steps */
            steps: components["schemas"]["StepOut"][];
        };
        /**
         * StoredOut
         * @description What one organisation has.
         */
        StoredOut: {
            /** Last Run At */
            last_run_at: string | null;
            limits: components["schemas"]["LimitsOut"];
            /** Members */
            members: number;
            /** Name */
            name: string;
            /**
             * Organisation Id
             * Format: uuid
             */
            organisation_id: string;
            /**
             * Raw Bytes
             * @description of its uploaded files
             */
            raw_bytes: number;
            /** Raw Files */
            raw_files: number;
            /**
             * Running
             * @description of the runs, those that are not finished
             */
            running: number;
            /** Runs */
            runs: number;
            /** Uploads */
            uploads: number;
        };
        /**
         * SubjectIn
         * @description Whose record is asked about: a stored run, a published configuration, a tested load of a drive, or a
         *     distribution sent along. Exactly one of the four.
         */
        SubjectIn: {
            /**
             * Clock
             * @description default is response where it was measured, else service
             */
            clock?: ("response" | "service" | "operation" | "queue") | null;
            /**
             * Distribution
             * @description distribution document (docs/contracts): layout with counts, knots, or percentiles
             */
            distribution?: {
                [key: string]: unknown;
            } | null;
            /**
             * Drive Test
             * @description id of a tested load, as the page of a drive lists it; its own clock is judged
             */
            drive_test?: string | null;
            /**
             * Operation
             * @description the series taken as the budget's operation; default: the one of that name. Where the budget asks about the record's own `operation` and several fit, this chooses
             */
            operation?: string | null;
            /**
             * Publication
             * @description `publication:SLUG#ROW`, as comparisons name it
             */
            publication?: string | null;
            /** Run Id */
            run_id?: string | null;
        };
        /**
         * SubjectOut
         * @description What was judged: where it stands (`href`), and how it is named to compare it or to ask about it again
         *     (`run_id` or `publication`).
         */
        SubjectOut: {
            /** Clock */
            clock: ("response" | "service" | "operation" | "queue") | null;
            /**
             * Closed Loop
             * @description the next operation waited for the answer; such a record proves no PASS
             */
            closed_loop: boolean;
            /**
             * Drive Slug
             * @description of the drive that was tested
             */
            drive_slug?: string | null;
            /** Host Name */
            host_name?: string | null;
            /**
             * Href
             * @description page of the record; null for what was sent along
             */
            href?: string | null;
            /**
             * Kind
             * @enum {string}
             */
            kind: "run" | "upload" | "campaign" | "drive_test" | "publication" | "distribution";
            /** Label */
            label: string;
            /**
             * Measured Ns
             * @description length of the record; null where not known
             */
            measured_ns: number | null;
            /**
             * Note
             * @description what the published figures leave open
             */
            note?: string | null;
            /**
             * Operation
             * @description null where several operations were judged together
             */
            operation: string | null;
            /**
             * Provisional
             * @description the run still goes on, or parts of it have not arrived
             * @default false
             */
            provisional: boolean;
            /**
             * Publication
             * @description `publication:SLUG#ROW`, as `subject` and comparisons take it
             */
            publication?: string | null;
            /**
             * Publication Row
             * @description first row of the document that it rests on
             */
            publication_row?: string | null;
            /** Publication Slug */
            publication_slug?: string | null;
            /** Publication Title */
            publication_title?: string | null;
            /** Run Id */
            run_id?: string | null;
            /**
             * Samples
             * @description operations on record, misses included; null where not known
             */
            samples: number | null;
            /**
             * Source
             * @description publication: figures that somebody has published; nothing here was measured by Tailroom
             * @enum {string}
             */
            source: "run" | "distribution" | "publication";
            /** Started At */
            started_at?: string | null;
            /** Title */
            title?: string | null;
            /** Workload */
            workload?: string | null;
        };
        /**
         * SuggestedFactOut
         * @description A fact of a suggestion.
         */
        SuggestedFactOut: {
            /** As Printed */
            as_printed: string;
            /** Capacity Bytes */
            capacity_bytes: number | null;
            /** Field */
            field: string;
            /** Source Text */
            source_text: string | null;
            /** Unit */
            unit: string | null;
        };
        /**
         * SuggestionIn
         * @description A drive of the organisation that should be shared, or a fact about a shared item.
         */
        SuggestionIn: {
            fact?: components["schemas"]["FactIn"] | null;
            /** Slug */
            slug: string;
        };
        /**
         * SuggestionOut
         * @description A suggestion and what became of it.
         */
        SuggestionOut: {
            /** Decided At */
            decided_at: string | null;
            /** Decided By */
            decided_by: string | null;
            /**
             * Facts
             * @description what everybody sees when it is accepted
             */
            facts: components["schemas"]["SuggestedFactOut"][];
            /**
             * Kept Back
             * @description what stays the organisation's own: prices
             */
            kept_back: components["schemas"]["SuggestedFactOut"][];
            /**
             * Kind
             * @enum {string}
             */
            kind: "drive" | "fact";
            /** Name */
            name: string;
            /**
             * Organisation
             * @description for moderators
             */
            organisation?: string | null;
            /** Reason */
            reason: string | null;
            /** Slug */
            slug: string;
            /**
             * State
             * @enum {string}
             */
            state: "open" | "accepted" | "refused" | "withdrawn" | "taken-back";
            /**
             * Suggested At
             * Format: date-time
             */
            suggested_at: string;
            /** Suggested By */
            suggested_by: string;
            /**
             * Suggestion Id
             * Format: uuid
             */
            suggestion_id: string;
        };
        /**
         * SuggestionsOut
         * @description Suggestions.
         */
        SuggestionsOut: {
            /** Suggestions */
            suggestions: components["schemas"]["SuggestionOut"][];
        };
        /**
         * TableOut
         * @description One table with its indexes and partitions.
         */
        TableOut: {
            /** Estimated Rows */
            estimated_rows: number;
            /** Name */
            name: string;
            /** Size Bytes */
            size_bytes: number;
        };
        /**
         * TestConditionsOut
         * @description What all rows shown have in common.
         */
        TestConditionsOut: {
            /**
             * Generation
             * @enum {string}
             */
            generation: "before-2.0" | "2-5" | "6+" | "unstated";
            /**
             * Metric Class
             * @enum {string}
             */
            metric_class: "total" | "device" | "unstated";
            /**
             * Op Class
             * @enum {string}
             */
            op_class: "none" | "over_provisioned" | "unstated";
            /** Record Bytes */
            record_bytes: number | null;
            /**
             * Rows
             * @description rows of this class, whatever the other filters say
             */
            rows: number;
            /**
             * Text
             * @description in words
             */
            text: string;
            /** Usable Ratio */
            usable_ratio: number | null;
        };
        /**
         * TestExceedanceOut
         * @description With what was printed or counted.
         */
        TestExceedanceOut: {
            /** As Printed */
            as_printed: string | null;
            /** Lower Ratio */
            lower_ratio: number;
            /**
             * Over Count
             * @description null where not counted
             */
            over_count: number | null;
            /** Threshold Ns */
            threshold_ns: number;
            /** Total Count */
            total_count: number | null;
            /** Upper Ratio */
            upper_ratio: number;
        };
        /**
         * TestFindingOut
         * @description An audit finding about the source of a test.
         */
        TestFindingOut: {
            /** Check */
            check: string;
            /** Origin */
            origin: string;
            /** Severity */
            severity: string;
            /** Statement */
            statement: string;
        };
        /**
         * TestSourceOut
         * @description Where a test is on record.
         */
        TestSourceOut: {
            /** Claim Keys */
            claim_keys: string[];
            /**
             * Kind
             * @enum {string}
             */
            kind: "run" | "publication";
            /**
             * Published At
             * @description date of the publication, as printed
             */
            published_at: string | null;
            /** Publisher */
            publisher: string | null;
            /** Row */
            row: string | null;
            /** Run Id */
            run_id: string | null;
            /**
             * Slug
             * @description of the publication
             */
            slug: string | null;
            /** Title */
            title: string;
        };
        /**
         * TestVerdictOut
         * @description A test judged by one rule set.
         */
        TestVerdictOut: {
            /** Basis */
            basis: ("every_hour" | "whole_run") | null;
            /** Headline */
            headline: string | null;
            observed: components["schemas"]["ScopeOut"] | null;
            proven: components["schemas"]["ScopeOut"] | null;
            /** Reason */
            reason: ("resolution" | "samples" | "dependence" | "duration" | "generator" | "metadata") | null;
            /** Reason Text */
            reason_text: string | null;
            /** Rule Set */
            rule_set: string;
            /** Strength */
            strength: ("proven" | "observed") | null;
            /** Title */
            title: string;
            /**
             * Verdict
             * @enum {string}
             */
            verdict: "PASS" | "FAIL" | "INDETERMINATE";
            /** Version */
            version: number;
            /** Words */
            words: string;
        };
        /**
         * ThresholdCourseOut
         * @description The share at or over one threshold over time. Misses count as over.
         */
        ThresholdCourseOut: {
            /**
             * Budget Name
             * @description the budget that sets the limit
             */
            budget_name: string;
            burn: components["schemas"]["BurnOut"];
            compliance: components["schemas"]["ComplianceOut"];
            drift: components["schemas"]["DriftOut"];
            late_degradation: components["schemas"]["LateDegradationOut"];
            levels: components["schemas"]["LevelsOut"];
            /** Limit Ratio */
            limit_ratio: number;
            /** Threshold Ns */
            threshold_ns: number;
            worst_aligned_hour: components["schemas"]["WorstWindowOut"];
            worst_rolling_hour: components["schemas"]["WorstWindowOut"];
        };
        /**
         * ThroughputDocument
         * @description Rates that must be exceeded.
         */
        ThroughputDocument: {
            /** Floors */
            floors: components["schemas"]["FloorDocument"][];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "throughput";
            /**
             * Name
             * Format: lookup
             * @description lower-case words joined by hyphens
             */
            name: string;
            /**
             * Question
             * Format: text
             * @default
             */
            question: string;
            /**
             * Title
             * Format: name
             * @default
             */
            title: string;
            /**
             * Version
             * @default 1
             */
            version: number;
        };
        /**
         * Tick
         * @description An interval of a tick series, as live pages get it; what is not known about the generator and the
         *         drive is left out.
         */
        Tick: {
            /** @default null */
            busy_ns: number | null;
            count: number;
            duration_ns: number;
            errors: number;
            /** @default null */
            in_flight: number | null;
            lateness_max_ns: number;
            /** @default null */
            lateness_p99_ns: number | null;
            max_ns: number | null;
            min_ns: number | null;
            /** @default null */
            oldest_in_flight_ns: number | null;
            pins: number[];
            seq: number;
            series_no: number;
            start_ns: number;
            sum_ns: number;
            target_count: number | null;
            /** @default null */
            temperature_millicelsius: number | null;
            timeouts: number;
            unfinished: number;
        };
        /**
         * TicksOut
         * @description Columns of equal length, one entry for each stretch of time, in order.
         */
        TicksOut: {
            /**
             * Busy Ratio
             * @description processor time of the busiest measuring thread in the time that passed, the largest of an interval; a hair above 1 is possible
             */
            busy_ratio: (number | null)[];
            /** Count */
            count: number[];
            /** Duration Ns */
            duration_ns: number[];
            /** Errors */
            errors: number[];
            /**
             * In Flight
             * @description operations under way at the end of an interval, the most of any; how long these will take is not known
             */
            in_flight: (number | null)[];
            /**
             * Lateness P99 Ns
             * @description 99th percentile of the lateness that the generator itself caused, the largest of an interval; this and what follows: null where unknown
             */
            lateness_p99_ns: (number | null)[];
            /** Max Ns */
            max_ns: (number | null)[];
            /** Min Ns */
            min_ns: (number | null)[];
            /**
             * Oldest In Flight Ns
             * @description age of the oldest of them since it was intended, the largest of any interval
             */
            oldest_in_flight_ns: (number | null)[];
            /**
             * Over
             * @description for each threshold of `pin_thresholds_ns` the completed operations at or over it
             */
            over: number[][];
            /** Start Ns */
            start_ns: number[];
            /** Target Count */
            target_count: (number | null)[];
            /**
             * Temperature Celsius
             * @description of the hottest measured device at the end of an interval, the largest of any
             */
            temperature_celsius: (number | null)[];
            /** Timeouts */
            timeouts: number[];
        };
        /**
         * TimelineOut
         * @description A run over time.
         */
        TimelineOut: {
            /**
             * Run Id
             * Format: uuid
             */
            run_id: string;
            /** Series */
            series: components["schemas"]["TimelineSeriesOut"][];
        };
        /**
         * TimelineSeriesOut
         * @description One operation on one clock over time.
         */
        TimelineSeriesOut: {
            /**
             * Clock
             * @enum {string}
             */
            clock: "response" | "service" | "operation" | "queue";
            /** Limits */
            limits: components["schemas"]["LimitOut"][];
            /** Operation */
            operation: string;
            /** Percentiles */
            percentiles: components["schemas"]["PercentilePointOut"][];
            /** Pin Thresholds Ns */
            pin_thresholds_ns: number[];
            ticks: components["schemas"]["TicksOut"];
        };
        /**
         * TokenIn
         * @description A token to be made.
         */
        TokenIn: {
            /**
             * Days
             * @description until it expires; null: never
             */
            days?: number | null;
            /**
             * Name
             * Format: name
             * @description what it is for
             */
            name: string;
            /**
             * Scope
             * @enum {string}
             */
            scope: "agent" | "viewer" | "engineer";
        };
        /**
         * TokenMadeOut
         * @description The tokens, including a new token.
         */
        TokenMadeOut: {
            /**
             * Text
             * @description of the new token; it is not given again
             */
            text: string;
            /** Tokens */
            tokens: components["schemas"]["TokenOut"][];
        };
        /**
         * TokenOut
         * @description A token without its text.
         */
        TokenOut: {
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Expires At */
            expires_at: string | null;
            /**
             * Holds
             * @description neither revoked nor expired
             */
            holds: boolean;
            /**
             * Is Key
             * @description an agent's own key stands in its place; it has no text
             */
            is_key: boolean;
            /**
             * Issued By
             * @description e-mail address of the member who made it, with whose right it ends; null: nobody's
             */
            issued_by: string | null;
            /**
             * Last Used At
             * @description to the minute
             */
            last_used_at: string | null;
            /** Name */
            name: string;
            /** Revoked At */
            revoked_at: string | null;
            /**
             * Scope
             * @enum {string}
             */
            scope: "agent" | "viewer" | "engineer";
            /**
             * Token Id
             * Format: uuid
             */
            token_id: string;
        };
        /**
         * TokensOut
         * @description Tokens of the organisation, the newest first.
         */
        TokensOut: {
            /** Tokens */
            tokens: components["schemas"]["TokenOut"][];
        };
        /**
         * TrailEventOut
         * @description An action of a person.
         */
        TrailEventOut: {
            /** Action */
            action: string;
            /** Actor */
            actor: string;
            /**
             * Actor Kind
             * @enum {string}
             */
            actor_kind: "person" | "token" | "local" | "operator";
            /** Address */
            address: string;
            /** After */
            after: {
                [key: string]: unknown;
            } | null;
            /** Before */
            before: {
                [key: string]: unknown;
            } | null;
            /**
             * Happened At
             * Format: date-time
             */
            happened_at: string;
            /** Number */
            number: number;
            /** Sha256 */
            sha256: string;
            /** Subject */
            subject: string;
        };
        /**
         * TrailOut
         * @description Events of the organisation, the newest first.
         */
        TrailOut: {
            /** Events */
            events: components["schemas"]["TrailEventOut"][];
            /**
             * Next Below
             * @description ask with it for older ones; null: there are none
             */
            next_below: number | null;
        };
        /**
         * TransactionDocument
         * @description A share `objective_ratio` of transactions must end within the window less the reserve.
         */
        TransactionDocument: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "transaction";
            /**
             * Name
             * Format: lookup
             * @description lower-case words joined by hyphens
             */
            name: string;
            /** Objective Ratio */
            objective_ratio: number;
            plan: components["schemas"]["PlanDocument"];
            /**
             * Question
             * Format: text
             * @default
             */
            question: string;
            /**
             * Reserve Ns
             * @default 0
             */
            reserve_ns: number;
            /**
             * Title
             * Format: name
             * @default
             */
            title: string;
            /**
             * Version
             * @default 1
             */
            version: number;
            /** Window Ns */
            window_ns: number;
        };
        /**
         * TransactionVerdictOut
         * @description The transaction part of a verdict: P(all reads within the window), with bounds.
         */
        TransactionVerdictOut: {
            /**
             * Blocks
             * @description transactions' worth of operations; null before method 8
             */
            blocks?: number | null;
            /**
             * Cdf
             * @description band of all operations thrown together, as independent
             */
            cdf: components["schemas"]["CdfPointOut"][];
            /**
             * Evidence
             * @description what verdict and room rest on: the model of single reads, or measured transactions
             */
            evidence: ("model" | "measured") | null;
            measured: components["schemas"]["MeasuredTransactionsOut"] | null;
            /**
             * Models
             * @description bounds by model: independent, interval_mixture, measured, worst_case; the figures above are those of the interval mixture where there is one
             */
            models?: {
                [key: string]: unknown;
            } | null;
            /**
             * N Guaranteed
             * @description count of the one stage that fits for certain in this run; null where no limit was found
             */
            n_guaranteed: number | null;
            /**
             * N Possible
             * @description the same at best; null where no limit was found
             */
            n_possible: number | null;
            /**
             * N Text
             * @description both as a person reads them
             */
            n_text?: string | null;
            /** Objective Ratio */
            objective_ratio: number;
            /** P Estimate */
            p_estimate: number | null;
            /**
             * P Lower
             * @description least that buckets and model allow, before sampling error
             */
            p_lower: number | null;
            /**
             * P Lower Confident
             * @description the same, sampling error included
             */
            p_lower_confident: number | null;
            /** P Upper */
            p_upper: number | null;
            /**
             * P Upper Confident
             * @description possible, sampling error included
             */
            p_upper_confident?: number | null;
            /**
             * Plan
             * @description stages; null: sequential reads
             */
            plan?: {
                [key: string]: unknown;
            } | null;
            /** Quantile Lower Ns */
            quantile_lower_ns: number | null;
            /** Quantile Upper Ns */
            quantile_upper_ns: number | null;
            /**
             * Reads
             * @description operations of all stages together, at most
             */
            reads: number;
            /** Reserve Ns */
            reserve_ns: number;
            /** Room Lower Ns */
            room_lower_ns: number | null;
            /** Room Upper Ns */
            room_upper_ns: number | null;
            /** Samples */
            samples: number;
            /**
             * Scheduling
             * @description of the only stage; plan: several stages
             * @enum {string}
             */
            scheduling: "sequential" | "parallel" | "waves" | "pool" | "plan";
            /** Window Ns */
            window_ns: number;
        };
        /**
         * TrendOut
         * @description A configuration over its latest runs, the oldest first.
         */
        TrendOut: {
            /** Clock */
            clock: string | null;
            /** Name */
            name: string;
            /** Operation */
            operation: string | null;
            /** Points */
            points: components["schemas"]["TrendPointOut"][];
            /** Steps */
            steps: components["schemas"]["LevelStepOut"][];
            /** Undecided */
            undecided: components["schemas"]["UndecidedOut"][];
            /**
             * Watch Id
             * Format: uuid
             */
            watch_id: string;
        };
        /**
         * TrendPointOut
         * @description A run with its figures.
         */
        TrendPointOut: {
            /**
             * Facts Changed
             * @description against the run before; at most 20
             */
            facts_changed: components["schemas"]["FactChangeOut"][];
            /** Facts Changed Count */
            facts_changed_count: number;
            /** Figures */
            figures: components["schemas"]["FigureOut"][];
            /**
             * Run Id
             * Format: uuid
             */
            run_id: string;
            /**
             * Started At
             * Format: date-time
             */
            started_at: string;
            /**
             * Strength
             * @description null: undecided, or by a method before 8
             */
            strength: ("proven" | "observed") | null;
            /**
             * Strength Changed
             * @description the word is that of the run before, its strength is not
             */
            strength_changed: boolean;
            /** Title */
            title: string;
            /**
             * Verdict
             * @enum {string}
             */
            verdict: "PASS" | "FAIL" | "INDETERMINATE";
            /**
             * Words
             * @description verdict and strength as a person reads them
             */
            words: string;
        };
        /**
         * UndecidedOut
         * @description Why no change point can be found in a quantity.
         */
        UndecidedOut: {
            /** Quantity */
            quantity: string;
            /** Reason */
            reason: string;
        };
        /**
         * Untold
         * @description A gauge that the machine cannot read, and the reason.
         */
        Untold: {
            /**
             * Group
             * @enum {string}
             */
            group: "cpu" | "core" | "disk" | "network" | "pressure" | "memory" | "temperature" | "power" | "observer";
            /**
             * Reason
             * Format: reported
             */
            reason: string;
        };
        /**
         * UploadAnswersIn
         * @description Facts that the files of an upload do not state.
         */
        UploadAnswersIn: {
            /**
             * Answers
             * @description by field; null takes an answer back. `tool.latency_unit` (ns, µs, ms or s) has the files read again, `tool.operation` names what was timed, `tool.loop` is open or closed
             */
            answers: {
                [key: string]: string | number | boolean | null;
            };
            /**
             * Run Id
             * @description about this run alone; null: about each that leaves it open
             */
            run_id?: string | null;
        };
        /**
         * UploadedRunOut
         * @description A run that was read from the upload.
         */
        UploadedRunOut: {
            /** Closed Loop */
            closed_loop: boolean;
            disclosure: components["schemas"]["DisclosureOut"];
            /**
             * End State
             * @enum {string}
             */
            end_state: "finished" | "device_too_slow" | "generator_too_slow" | "failed" | "killed" | "growing" | "unknown";
            /** Format */
            format: string;
            /** Measured Duration Ns */
            measured_duration_ns: number | null;
            /** Outcome Reason */
            outcome_reason: string | null;
            /** Problems */
            problems: components["schemas"]["FileProblemOut"][];
            /**
             * Run Id
             * Format: uuid
             */
            run_id: string;
            /** Series */
            series: components["schemas"]["UploadedSeriesOut"][];
            /**
             * Started At
             * Format: date-time
             */
            started_at: string;
            /** Started At Known */
            started_at_known: boolean;
            /** Title */
            title: string;
            /** Tool */
            tool: string;
            /** Tool Version */
            tool_version: string | null;
            /**
             * Verdicts
             * @description those reached so far
             */
            verdicts: components["schemas"]["VerdictSummaryOut"][];
            /**
             * Visibility
             * @enum {string}
             */
            visibility: "private" | "public" | "retracted";
            /** Workload */
            workload: string;
        };
        /**
         * UploadedSeriesOut
         * @description A series in a word.
         */
        UploadedSeriesOut: {
            /** Clock */
            clock: string;
            /** Device */
            device: string | null;
            /** Interval Count */
            interval_count: number;
            /**
             * Layout
             * @description `hdr`, `pow2`, `explicit`, or `statement`: no buckets are known
             */
            layout: string;
            /** Operation */
            operation: string;
            /** Phase */
            phase: string;
            /** Source Name */
            source_name: string | null;
        };
        /**
         * UploadFileOut
         * @description A file of an upload, or a member of an archive, and what was made of it.
         */
        UploadFileOut: {
            /** File No */
            file_no: number;
            /** Format */
            format: string | null;
            /**
             * Member
             * @description its name inside the archive; null where it is packed in none
             */
            member: string | null;
            /** Name */
            name: string;
            /** Problems */
            problems: components["schemas"]["FileProblemOut"][];
            /**
             * Read With
             * @description the file whose run it went into
             */
            read_with: string | null;
            /**
             * Reason
             * @description what in the file says that it is of this format
             */
            reason: string | null;
            /**
             * Refusal
             * @description why nothing could be read; the file is stored all the same
             */
            refusal: string | null;
            /** Run Ids */
            run_ids: string[];
            /**
             * Sha256
             * @description of the raw file that it is, or is packed in: /api/v1/raw-files/{sha256}
             */
            sha256: string;
            /** Size Bytes */
            size_bytes: number;
            /** Tool */
            tool: string | null;
            /** Tool Version */
            tool_version: string | null;
        };
        /**
         * UploadOut
         * @description An upload: its files and the runs that were read from them.
         */
        UploadOut: {
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /**
             * Failure
             * @description why nobody reads it any more; sending it again tries again
             */
            failure: string | null;
            /** Files */
            files: components["schemas"]["UploadFileOut"][];
            /**
             * Read At
             * @description null while its files wait to be read, or were not
             */
            read_at: string | null;
            /** Runs */
            runs: components["schemas"]["UploadedRunOut"][];
            /**
             * State
             * @description `waiting`: a worker will read it; ask again
             * @enum {string}
             */
            state: "waiting" | "read" | "failed";
            /**
             * Upload Id
             * Format: uuid
             */
            upload_id: string;
        };
        /**
         * UploadPage
         * @description A page of uploads, newest first.
         */
        UploadPage: {
            /**
             * Next Cursor
             * @description give it as `cursor` for the next page; null on the last one
             */
            next_cursor: string | null;
            /**
             * Total
             * @description uploads on all pages
             */
            total: number;
            /** Uploads */
            uploads: components["schemas"]["UploadSummaryOut"][];
        };
        /**
         * UploadSummaryOut
         * @description An upload in a list.
         */
        UploadSummaryOut: {
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /**
             * File Count
             * @description files, members of archives each by itself
             */
            file_count: number;
            /**
             * First Name
             * @description name of its first file
             */
            first_name: string;
            /**
             * Problem Count
             * @description warnings and errors about its files and runs; notes do not count
             */
            problem_count: number;
            /**
             * Read At
             * @description null: its files wait to be read, or could not be
             */
            read_at: string | null;
            /**
             * Refused Count
             * @description files of which nothing could be read
             */
            refused_count: number;
            /** Run Count */
            run_count: number;
            /**
             * State
             * @enum {string}
             */
            state: "waiting" | "read" | "failed";
            /**
             * Upload Id
             * Format: uuid
             */
            upload_id: string;
        };
        /**
         * UsageOut
         * @description What an organisation has of what may be limited.
         */
        UsageOut: {
            /** Agents */
            agents: number;
            /** Runs */
            runs: number;
            /** Stored Bytes */
            stored_bytes: number;
            /** Uploads Per Day */
            uploads_per_day: number;
        };
        /**
         * ValidityOut
         * @description How many slices of the judged operations are unreliable because of the generator (docs/adr/0017).
         */
        ValidityOut: {
            /**
             * Busy
             * @description a measuring thread used more than 70 % of the time
             */
            busy: number;
            /**
             * Busy Ratio
             * @description largest; null where nobody noted it
             */
            busy_ratio: number | null;
            /**
             * Doubtful
             * @description late or busy: they cannot prove a FAIL
             */
            doubtful: number;
            /**
             * Is Known
             * @description false: the record says nothing about its generator over time
             */
            is_known: boolean;
            /**
             * Late
             * @description one operation in a hundred began later than `late_limit_ns`
             */
            late: number;
            /**
             * Late Limit Ns
             * @description from which on the question counts a slice as late; null where it has no threshold
             */
            late_limit_ns?: number | null;
            /**
             * Lateness P99 Ns
             * @description largest; null where nobody noted it
             */
            lateness_p99_ns: number | null;
            /**
             * Slices
             * @description of the operation with most unreliable ones
             */
            slices: number;
        };
        /**
         * VerdictOut
         * @description One budget judged on one run by one version of the method.
         */
        VerdictOut: {
            budget: components["schemas"]["BudgetOut"];
            /**
             * Computed At
             * Format: date-time
             */
            computed_at: string;
            /**
             * Criteria
             * @description verdicts of a rule set's parts
             */
            criteria?: {
                [key: string]: unknown;
            }[];
            /** Data Through Ns */
            data_through_ns: number;
            /**
             * Decided By
             * @description the cheapest data that would decide or prove it; null where it is proven
             */
            decided_by: string | null;
            exceedance: components["schemas"]["ExceedanceVerdictOut"] | null;
            /** @description null of verdicts by a method before 3 */
            headline?: components["schemas"]["HeadlineOut"] | null;
            /**
             * Kind
             * @enum {string}
             */
            kind: "transaction" | "exceedance" | "percentile" | "throughput" | "completion" | "rule_set";
            /** @description of a verdict that is not proven; null where it is, and by a method before 3 */
            meter?: components["schemas"]["EvidenceMeterOut"] | null;
            /** Method Version */
            method_version: number;
            /** @description what this run shows; null by a method before 8 */
            observed?: components["schemas"]["ScopeOut"] | null;
            /** @description what it proves; null by a method before 8 */
            proven?: components["schemas"]["ScopeOut"] | null;
            /** Provisional */
            provisional: boolean;
            /**
             * Reason
             * @description why it is undecided
             */
            reason: ("resolution" | "samples" | "dependence" | "duration" | "generator" | "metadata") | null;
            /** Reason Text */
            reason_text: string | null;
            /**
             * Rows
             * @description limits and floors beside what was measured, in the unit of each
             */
            rows?: {
                [key: string]: unknown;
            }[];
            /**
             * Stage
             * @enum {string}
             */
            stage: "preview" | "indicative" | "full";
            /**
             * Strength
             * @description how far it carries; null where undecided, and of verdicts by a method before 8
             */
            strength?: ("proven" | "observed") | null;
            transaction: components["schemas"]["TransactionVerdictOut"] | null;
            /**
             * Unproven
             * @description why an observed verdict is not proven
             */
            unproven?: ("resolution" | "samples" | "dependence" | "duration" | "generator" | "metadata") | null;
            /** @description null where no latency was judged, and of verdicts from before it was noted */
            validity?: components["schemas"]["ValidityOut"] | null;
            /**
             * Verdict
             * @enum {string}
             */
            verdict: "PASS" | "FAIL" | "INDETERMINATE";
            /**
             * Verdict Id
             * Format: uuid
             */
            verdict_id: string;
            /**
             * Words
             * @description verdict and strength as a person reads them; while the run goes on “PASS so far”
             */
            words?: string | null;
        };
        /**
         * VerdictSummaryOut
         * @description A verdict in a word, for lists.
         */
        VerdictSummaryOut: {
            /** Budget Name */
            budget_name: string;
            /** Budget Title */
            budget_title: string;
            /**
             * Evidence Share
             * @description of a verdict that is not proven: what is there of the evidence needed, 0 to 1
             */
            evidence_share?: number | null;
            /** Evidence Unit */
            evidence_unit?: ("operations" | "transactions") | null;
            /**
             * Headline
             * @description one line: the interval and what was asked
             */
            headline?: string | null;
            /** Provisional */
            provisional: boolean;
            /** Reason */
            reason: ("resolution" | "samples" | "dependence" | "duration" | "generator" | "metadata") | null;
            /**
             * Reason Text
             * @description why, where the interval alone does not say it
             */
            reason_text?: string | null;
            /** @description null where no transaction was judged */
            room?: components["schemas"]["RoomOut"] | null;
            /**
             * Slices
             * @description of the judged operations; null where no latency was judged
             */
            slices?: number | null;
            /**
             * Strength
             * @description null where undecided, or before method 8
             */
            strength?: ("proven" | "observed") | null;
            /**
             * Unreliable Slices
             * @description of them, because of the load generator
             */
            unreliable_slices?: number | null;
            /**
             * Verdict
             * @enum {string}
             */
            verdict: "PASS" | "FAIL" | "INDETERMINATE";
            /**
             * Words
             * @description verdict and strength as a person reads them
             */
            words?: string | null;
        };
        /**
         * WatchesOut
         * @description Everything that an organisation watches, by name.
         */
        WatchesOut: {
            /** Watches */
            watches: components["schemas"]["WatchOut"][];
        };
        /**
         * WatchIn
         * @description The subject of a watch, and the recipients of its alerts.
         */
        WatchIn: {
            /**
             * Budget Name
             * Format: lookup
             */
            budget_name: string;
            /** Email */
            email?: string | null;
            /** Host Name */
            host_name?: string | null;
            /**
             * Name
             * Format: name
             */
            name: string;
            /**
             * Run Title
             * @description of the runs to watch; null: any
             */
            run_title?: string | null;
            /**
             * Target Name
             * @description the device or server that was measured
             */
            target_name?: string | null;
            /** Webhook Url */
            webhook_url?: string | null;
        };
        /**
         * WatchMadeOut
         * @description A new watch.
         */
        WatchMadeOut: {
            /**
             * Alerts
             * @description the latest, the newest first
             */
            alerts: components["schemas"]["AlertOut"][];
            /** Budget Name */
            budget_name: string;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Email */
            email: string | null;
            /** Host Name */
            host_name: string | null;
            /** Name */
            name: string;
            /**
             * Results
             * @description the latest runs, the oldest first
             */
            results: components["schemas"]["WatchResultOut"][];
            /** Run Title */
            run_title: string | null;
            /**
             * Strength
             * @description null: undecided, or by a method before 8
             */
            strength: ("proven" | "observed") | null;
            /** Target Name */
            target_name: string | null;
            /**
             * Verdict
             * @description of the latest run; null: none yet
             */
            verdict: ("PASS" | "FAIL" | "INDETERMINATE") | null;
            /**
             * Watch Id
             * Format: uuid
             */
            watch_id: string;
            /**
             * Webhook Host
             * @description where its webhook goes; its address is not given again
             */
            webhook_host: string | null;
            /**
             * Webhook Secret
             * @description the receiver checks `Tailroom-Signature` with it; it is not given again
             */
            webhook_secret: string | null;
            /**
             * Words
             * @description verdict and strength of the latest run as a person reads them
             */
            words: string | null;
        };
        /**
         * WatchOut
         * @description A watched configuration.
         */
        WatchOut: {
            /**
             * Alerts
             * @description the latest, the newest first
             */
            alerts: components["schemas"]["AlertOut"][];
            /** Budget Name */
            budget_name: string;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Email */
            email: string | null;
            /** Host Name */
            host_name: string | null;
            /** Name */
            name: string;
            /**
             * Results
             * @description the latest runs, the oldest first
             */
            results: components["schemas"]["WatchResultOut"][];
            /** Run Title */
            run_title: string | null;
            /**
             * Strength
             * @description null: undecided, or by a method before 8
             */
            strength: ("proven" | "observed") | null;
            /** Target Name */
            target_name: string | null;
            /**
             * Verdict
             * @description of the latest run; null: none yet
             */
            verdict: ("PASS" | "FAIL" | "INDETERMINATE") | null;
            /**
             * Watch Id
             * Format: uuid
             */
            watch_id: string;
            /**
             * Webhook Host
             * @description where its webhook goes; its address is not given again
             */
            webhook_host: string | null;
            /**
             * Words
             * @description verdict and strength of the latest run as a person reads them
             */
            words: string | null;
        };
        /**
         * WatchResultOut
         * @description A run of the configuration with its verdict.
         */
        WatchResultOut: {
            /**
             * Run Id
             * Format: uuid
             */
            run_id: string;
            /**
             * Started At
             * Format: date-time
             */
            started_at: string;
            /** Statement */
            statement: string;
            /**
             * Strength
             * @description null: undecided, or by a method before 8
             */
            strength: ("proven" | "observed") | null;
            /**
             * Verdict
             * @enum {string}
             */
            verdict: "PASS" | "FAIL" | "INDETERMINATE";
            /**
             * Words
             * @description verdict and strength as a person reads them
             */
            words: string;
        };
        /**
         * WayOut
         * @description One way to the missing evidence, with its amount.
         */
        WayOut: {
            /**
             * Amount
             * @description in `unit`; of counts and times what is needed on top
             */
            amount: number;
            /** Text */
            text: string;
            /**
             * Unit
             * @enum {string}
             */
            unit: "ratio" | "ns" | "count";
            /**
             * Way
             * @enum {string}
             */
            way: "exact_calculation" | "percentile" | "exact_counter" | "operations" | "measured_transactions" | "time";
        };
        /**
         * WithdrawnTestOut
         * @description What is left of a test that was public: no figure of it.
         */
        WithdrawnTestOut: {
            /** Capacity Bytes */
            capacity_bytes: number | null;
            drive: components["schemas"]["DriveNameOut"];
            /** Load */
            load: number;
            /** Publication Slug */
            publication_slug: string | null;
            /** Reason */
            reason: string | null;
            /**
             * Run Id
             * @description null for a row of a document
             */
            run_id: string | null;
            /**
             * Withdrawn At
             * @description null where nobody stated it
             */
            withdrawn_at: string | null;
        };
        /**
         * WordChangeOut
         * @description A load whose word changed between two probes by more than they scatter.
         */
        WordChangeOut: {
            after: components["schemas"]["ProbeWord"];
            after_followed: components["schemas"]["ProbeWord"] | null;
            before: components["schemas"]["ProbeWord"];
            /** @description word of the probe before that one; null: the first */
            before_followed: components["schemas"]["ProbeWord"] | null;
            /**
             * Is Hysteresis
             * @description it held after a pass and failed after a failure, or the reverse: the server does not recover at once
             */
            is_hysteresis: boolean;
            /** Load Per S */
            load_per_s: number;
        };
        /**
         * WorkOut
         * @description Something that waits, or was given up.
         */
        WorkOut: {
            /**
             * At
             * Format: date-time
             * @description since when it is due, or when it was given up
             */
            at: string;
            /** Attempts */
            attempts: number;
            /**
             * Error
             * @description why the last attempt failed; empty where none has
             */
            error: string;
            /** Kind */
            kind: string;
            /** Lane */
            lane: string;
            /** Organisation */
            organisation: string;
            /**
             * Organisation Id
             * Format: uuid
             */
            organisation_id: string;
            /**
             * Subject
             * Format: uuid
             * @description the run, upload or whatever else it is about
             */
            subject: string;
        };
        /**
         * WorstCaseOut
         * @description Over every dependence that operations could have on each other.
         */
        WorstCaseOut: {
            /** P Lower */
            p_lower: number | null;
            /** P Upper */
            p_upper: number | null;
        };
        /**
         * WorstWindowOut
         * @description The worst hour; of several the first.
         */
        WorstWindowOut: {
            /** End Ns */
            end_ns?: number | null;
            /** Over Lower */
            over_lower?: number | null;
            /** Over Upper */
            over_upper?: number | null;
            /** Reason */
            reason?: string | null;
            /** Start Ns */
            start_ns?: number | null;
            /** Total */
            total?: number | null;
            /** Windows */
            windows?: number | null;
            /** Worst Lower */
            worst_lower?: number | null;
            /** Worst Upper */
            worst_upper?: number | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    make_enrolment_code: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnrolmentCodeOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `campaign-refused`: The campaign cannot begin */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    poll_agent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PollIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PollOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `not-enrolled`: This agent is not enrolled; `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    create_short_token: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProofIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShortTokenOut"];
                };
            };
            /** @description `proof-wrong`: The signature is of no agent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `proof-stale`: The signature is not for now */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    list_agents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServingAgentsOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    enrol_agent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EnrolmentIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnrolledOut"];
                };
            };
            /** @description `enrolment-code-unknown`: The enrolment code is not valid; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `quota-reached`: The organisation's quota is reached */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    remove_agent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of the list of agents */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServingAgentsOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `serving-agent-unknown`: No such agent */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    list_budgets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BudgetsOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    store_budget: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BudgetIn"];
            };
        };
        responses: {
            /** @description The same content was on record already */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BudgetItemOut"];
                };
            };
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BudgetItemOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `budget-conflict`: This version of the budget is on record with other content; `budget-name-taken`: The name belongs to a built-in budget; `budgets-full`: No more budgets can be stored */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `budget-invalid`: The budget breaks a rule; `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    list_campaigns: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignsOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    begin_campaign: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CampaignIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `campaign-refused`: The campaign cannot begin */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_campaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of the list of campaigns */
                campaign_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `campaign-unknown`: No such campaign */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_campaign_observations: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of the list of campaigns */
                campaign_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ObservationsOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    repeat_campaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of the list of campaigns */
                campaign_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `campaign-unknown`: No such campaign */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `campaign-refused`: The campaign cannot begin */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_siblings: {
        parameters: {
            query?: {
                /** @description further campaigns of the same plan; their units are siblings */
                also?: string[];
                /** @description by default reads, or what most units have */
                operation?: string | null;
                /** @description by default the last measured one */
                phase?: string | null;
            };
            header?: never;
            path: {
                /** @description of the list of campaigns */
                campaign_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SiblingsOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-unknown`: There is no such run; `subject-unknown`: A subject of the comparison is not there */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-retracted`: The run was retracted; `run-deleted`: The run was deleted */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `subjects-invalid`: These cannot be compared; `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_siblings_csv: {
        parameters: {
            query?: {
                /** @description further campaigns of the same plan; their units are siblings */
                also?: string[];
                /** @description by default reads, or what most units have */
                operation?: string | null;
                /** @description by default the last measured one */
                phase?: string | null;
            };
            header?: never;
            path: {
                /** @description of the list of campaigns */
                campaign_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-unknown`: There is no such run; `subject-unknown`: A subject of the comparison is not there */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-retracted`: The run was retracted; `run-deleted`: The run was deleted */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `subjects-invalid`: These cannot be compared; `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    stop_campaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of the list of campaigns */
                campaign_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `campaign-unknown`: No such campaign */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_catalogue: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description drive, server, network, database or workload */
                kind: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogueOut"];
                };
            };
            /** @description nothing has changed since the `ETag` that was sent */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `catalogue-kind-unknown`: The catalogue has no such kind */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    propose_chain: {
        parameters: {
            query: {
                /** @description the run to find others for */
                run: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProposalOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-unknown`: There is no such run */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-retracted`: The run was retracted; `run-deleted`: The run was deleted */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    list_chains: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChainsOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    make_chain: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChainIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChainListedOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-unknown`: There is no such run */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `chains-too-many`: Too many chains */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-retracted`: The run was retracted; `run-deleted`: The run was deleted */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `subjects-invalid`: These cannot be compared; `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_chain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of the list of chains */
                chain_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChainOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `chain-unknown`: There is no such chain; `run-unknown`: There is no such run */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-retracted`: The run was retracted; `run-deleted`: The run was deleted */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `subjects-invalid`: These cannot be compared; `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    remove_chain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of the list of chains */
                chain_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `chain-unknown`: There is no such chain */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_clock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClockOut"];
                };
            };
        };
    };
    get_comparability: {
        parameters: {
            query: {
                /** @description `test_id` of a drive's page; may repeat */
                test: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ComparabilityOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `test-unknown`: There is no such test */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_comparison: {
        parameters: {
            query: {
                clock?: ("response" | "service" | "operation" | "queue") | null;
                /** @description of drives: the multiple of ACT's load; by default the highest of all */
                load?: number | null;
                operation?: string | null;
                /** @description rates of one drive among those of its server */
                per_drive?: boolean;
                /** @description of campaigns; by default the last measured one of all */
                phase?: string | null;
                /** @description `run:ID`, `campaign:ID`, `drive:SLUG` or `publication:SLUG#ROW`; the first is the base */
                subject: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ComparisonOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-unknown`: There is no such run; `subject-unknown`: A subject of the comparison is not there */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-retracted`: The run was retracted; `run-deleted`: The run was deleted */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `subjects-invalid`: These cannot be compared; `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_baseline_comparison: {
        parameters: {
            query: {
                /** @description a watch by its name */
                branch: string;
                operation?: string | null;
                /** @description the new run */
                run: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaselineComparisonOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-unknown`: There is no such run; `watch-unknown`: There is no such watch */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-retracted`: The run was retracted; `run-deleted`: The run was deleted */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `watch-invalid`: This cannot be watched; `subjects-invalid`: These cannot be compared; `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    list_published_subjects: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublishedSubjectsOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_comparison_report: {
        parameters: {
            query: {
                clock?: ("response" | "service" | "operation" | "queue") | null;
                /** @description of drives: the multiple of ACT's load; by default the highest of all */
                load?: number | null;
                operation?: string | null;
                /** @description rates of one drive among those of its server */
                per_drive?: boolean;
                /** @description of campaigns; by default the last measured one of all */
                phase?: string | null;
                /** @description `run:ID`, `campaign:ID`, `drive:SLUG` or `publication:SLUG#ROW`; the first is the base */
                subject: string[];
            };
            header?: never;
            path: {
                /** @description html: holds all it needs; pdf: on A4 */
                form: "html" | "pdf";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                    "text/html": string;
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-unknown`: There is no such run; `subject-unknown`: A subject of the comparison is not there */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-retracted`: The run was retracted; `run-deleted`: The run was deleted */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `subjects-invalid`: These cannot be compared; `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `pdf-unavailable`: There is no PDF of the report; `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    search_drives: {
        parameters: {
            query?: {
                /** @description most drives to name */
                limit?: number;
                /** @description part of a name; empty: all */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DrivesOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    add_drive: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DriveIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogueItemOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `drive-likely-known`: The drive may be on record already; `drives-full`: No more drives can be stored */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `drive-invalid`: The drive breaks a rule; `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_drive: {
        parameters: {
            query?: {
                /** @description rules that tests are judged by */
                rule_set?: string;
            };
            header?: never;
            path: {
                /** @description the drive's slug in the catalogue */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DrivePageOut"];
                };
            };
            /** @description what `If-None-Match` names is still the answer */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `drive-unknown`: There is no such drive */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form; `filter-invalid`: A filter has a value that there is not */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_drive_badge: {
        parameters: {
            query?: {
                /** @description rules that tests are judged by */
                rule_set?: string;
            };
            header?: never;
            path: {
                /** @description the drive's slug in the catalogue */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                };
            };
            /** @description what `If-None-Match` names is still the answer */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `drive-unknown`: There is no such drive */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form; `filter-invalid`: A filter has a value that there is not */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_edition_changes: {
        parameters: {
            query: {
                /** @description the earlier edition */
                since: string;
                /** @description the later edition; default: the living board */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EditionChangesOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `edition-unknown`: There is no such edition */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form; `filter-invalid`: A filter has a value that there is not */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_editions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EditionsOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_edition: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description such as `2026-Q4` */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EditionOut"];
                };
            };
            /** @description what `If-None-Match` names is the answer for ever */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `edition-unknown`: There is no such edition */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    list_formats: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FormatsOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    accept_invitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvitationCodeIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `invitation-foreign`: The invitation is for somebody else; `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `invitation-ended`: This invitation has ended */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    look_up_invitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvitationCodeIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitedOut"];
                };
            };
            /** @description `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `invitation-ended`: This invitation has ended */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    invite: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvitationIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationMadeOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `role-beyond`: Only an owner may do this; `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `invitations-too-many`: Too many invitations are open */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `mails-too-many`: Too many mails were asked for; `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    revoke_invitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of the list of members */
                invitation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MembersOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `role-beyond`: Only an owner may do this; `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `invitation-ended`: This invitation has ended */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_leaderboard: {
        parameters: {
            query?: {
                /** @description own SLA instead: a budget by its name */
                budget?: string | null;
                capacity_max_bytes?: number | null;
                capacity_min_bytes?: number | null;
                cursor?: string | null;
                /** @description shortlist: slugs of drives */
                drive?: string[];
                /** @description drive writes per day that the drive is rated for */
                dwpd_min?: number | null;
                /** @description only rows that were tested under one set of conditions */
                equal?: boolean;
                /** @description only tests of this evidence count */
                evidence?: ("measured_24h" | "measured" | "uploaded" | "third_party" | "vendor")[];
                /** @description reads at once */
                fan_out?: number | null;
                form_factor?: string[];
                /** @description of the tool */
                generation?: ("before-2.0" | "2-5" | "6+" | "unstated")[];
                interface?: string[];
                /** @description rows on a page */
                limit?: number;
                /** @description own thresholds instead: `ns:ratio,…`, such as `1000000:0.05,8000000:0.01`; strictly less than the ratio of the reads may take that long or longer */
                limits?: string | null;
                /** @description the highest load passed, at least */
                load_min?: number | null;
                /** @description what was timed */
                metric?: ("total" | "device" | "unstated")[];
                /** @description share of transactions that must end in time */
                objective_ratio?: number | null;
                /** @description over-provisioning */
                op?: ("none" | "over_provisioned" | "unstated")[];
                price_max?: number | null;
                /** @description own SLA instead: reads per transaction */
                reads?: number | null;
                /** @description kept for other work */
                reserve_ns?: number | null;
                /** @description built-in or own budget with limits on shares */
                rule_set?: string;
                /** @description only rows with a test of this run */
                run?: string | null;
                /** @description of the reads; default: one after another */
                scheduling?: ("sequential" | "parallel" | "waves" | "pool") | null;
                /** @description public rows and the organisation's own, or one of the two */
                scope?: "all" | "public" | "mine";
                /** @description text in vendor or name */
                search?: string | null;
                /** @description `-` in front: the other way round; unknown is always last */
                sort?: "rating" | "drive" | "capacity" | "dwpd" | "power" | "price" | "price_per_ktps" | "watts_per_ktps" | "exceedance" | "-rating" | "-drive" | "-capacity" | "-dwpd" | "-power" | "-price" | "-price_per_ktps" | "-watts_per_ktps" | "-exceedance";
                /** @description only rows with a load that failed */
                tested_to_failure?: boolean;
                vendor?: string[];
                /** @description whole time that a transaction may take */
                window_ns?: number | null;
                /** @description year of the latest test, or of the document that printed it */
                year_min?: number | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LeaderboardOut"];
                };
            };
            /** @description what `If-None-Match` names is still the answer */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `budget-unknown`: There is no such budget */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form; `filter-invalid`: A filter has a value that there is not; `cursor-unreadable`: The cursor is not one of ours */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_leaderboard_csv: {
        parameters: {
            query?: {
                /** @description own SLA instead: a budget by its name */
                budget?: string | null;
                capacity_max_bytes?: number | null;
                capacity_min_bytes?: number | null;
                cursor?: string | null;
                /** @description shortlist: slugs of drives */
                drive?: string[];
                /** @description drive writes per day that the drive is rated for */
                dwpd_min?: number | null;
                /** @description only rows that were tested under one set of conditions */
                equal?: boolean;
                /** @description only tests of this evidence count */
                evidence?: ("measured_24h" | "measured" | "uploaded" | "third_party" | "vendor")[];
                /** @description reads at once */
                fan_out?: number | null;
                form_factor?: string[];
                /** @description of the tool */
                generation?: ("before-2.0" | "2-5" | "6+" | "unstated")[];
                interface?: string[];
                /** @description rows on a page */
                limit?: number;
                /** @description own thresholds instead: `ns:ratio,…`, such as `1000000:0.05,8000000:0.01`; strictly less than the ratio of the reads may take that long or longer */
                limits?: string | null;
                /** @description the highest load passed, at least */
                load_min?: number | null;
                /** @description what was timed */
                metric?: ("total" | "device" | "unstated")[];
                /** @description share of transactions that must end in time */
                objective_ratio?: number | null;
                /** @description over-provisioning */
                op?: ("none" | "over_provisioned" | "unstated")[];
                price_max?: number | null;
                /** @description own SLA instead: reads per transaction */
                reads?: number | null;
                /** @description kept for other work */
                reserve_ns?: number | null;
                /** @description built-in or own budget with limits on shares */
                rule_set?: string;
                /** @description only rows with a test of this run */
                run?: string | null;
                /** @description of the reads; default: one after another */
                scheduling?: ("sequential" | "parallel" | "waves" | "pool") | null;
                /** @description public rows and the organisation's own, or one of the two */
                scope?: "all" | "public" | "mine";
                /** @description text in vendor or name */
                search?: string | null;
                /** @description `-` in front: the other way round; unknown is always last */
                sort?: "rating" | "drive" | "capacity" | "dwpd" | "power" | "price" | "price_per_ktps" | "watts_per_ktps" | "exceedance" | "-rating" | "-drive" | "-capacity" | "-dwpd" | "-power" | "-price" | "-price_per_ktps" | "-watts_per_ktps" | "-exceedance";
                /** @description only rows with a load that failed */
                tested_to_failure?: boolean;
                vendor?: string[];
                /** @description whole time that a transaction may take */
                window_ns?: number | null;
                /** @description year of the latest test, or of the document that printed it */
                year_min?: number | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description what `If-None-Match` names is still the answer */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `budget-unknown`: There is no such budget */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form; `filter-invalid`: A filter has a value that there is not; `cursor-unreadable`: The cursor is not one of ours */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    list_stored_mail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MailsOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_account: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    change_profile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProfileIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    delete_account: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `password-wrong`: The present password is wrong; `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `last-owner`: The last owner cannot leave */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `sign-ins-too-many`: Too many attempts to sign in; `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    list_identities: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentitiesOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    begin_connection: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ElsewhereOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `password-wrong`: The present password is wrong; `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `single-sign-on-off`: There is no single sign-on here */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `sign-ins-too-many`: Too many attempts to sign in; `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `provider-away`: The provider of single sign-on cannot be used */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    disconnect_identity: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of the list of identities */
                identity_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentitiesOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `identity-unknown`: There is no such connection */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `last-way-in`: Nothing else opens this account */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    leave_organisation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of my account */
                organisation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `member-unknown`: There is no such member */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `last-owner`: The last owner cannot leave */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    begin_passkey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyOptionsOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `password-wrong`: The present password is wrong; `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `sign-ins-too-many`: Too many attempts to sign in; `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    list_passkeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeysOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    make_passkey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeyIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyMadeOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `passkey-refused`: The passkey does not open this; `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `attempt-ended`: This attempt to sign in has ended */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `passkeys-too-many`: Too many passkeys */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    rename_passkey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of the list of passkeys */
                passkey_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeyNameIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeysOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `passkey-unknown`: There is no such passkey */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    remove_passkey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of the list of passkeys */
                passkey_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeysOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `password-wrong`: The present password is wrong; `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `passkey-unknown`: There is no such passkey */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `last-way-in`: Nothing else opens this account */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `sign-ins-too-many`: Too many attempts to sign in; `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    change_password: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordChangeIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `password-wrong`: The present password is wrong; `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `password-weak`: The password is too easy to guess; `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `sign-ins-too-many`: Too many attempts to sign in; `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    list_saved: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    change_saved: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SavedChangeIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `saved-too-many`: Too much is saved */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_second_factor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecondFactorOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    confirm_second_factor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecondFactorCodeIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodesOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `second-factor-wrong`: The code is wrong; `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `second-factor-state`: The second factor is not in that state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    begin_second_factor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecondFactorBegunOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `password-wrong`: The present password is wrong; `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `second-factor-state`: The second factor is not in that state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `sign-ins-too-many`: Too many attempts to sign in; `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    turn_off_second_factor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecondFactorOffIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `second-factor-needed`: A code is needed; `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `password-wrong`: The present password is wrong; `second-factor-wrong`: The code is wrong; `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `second-factor-state`: The second factor is not in that state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `sign-ins-too-many`: Too many attempts to sign in; `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    make_recovery_codes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecondFactorCodeIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodesOut"];
                };
            };
            /** @description `second-factor-needed`: A code is needed; `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `second-factor-wrong`: The code is wrong; `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `second-factor-state`: The second factor is not in that state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `sign-ins-too-many`: Too many attempts to sign in; `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    list_sessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonSessionsOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    end_other_sessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonSessionsOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    end_session: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of the list of sessions */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonSessionsOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `session-unknown`: There is no such session */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    list_members: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MembersOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    remove_member: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of the list of members */
                person_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MembersOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `role-beyond`: Only an owner may do this; `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `member-unknown`: There is no such member */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `last-owner`: The last owner cannot leave */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    change_role: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of the list of members */
                person_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RoleIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MembersOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `role-beyond`: Only an owner may do this; `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `member-unknown`: There is no such member */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `last-owner`: The last owner cannot leave */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    announce_observation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ObservationIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SamplesOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `observation-conflict`: The observation began with other content */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_gauges: {
        parameters: {
            query: {
                /** @description which gauges */
                group: "cpu" | "core" | "disk" | "network" | "pressure" | "memory" | "temperature" | "power" | "observer";
                /** @description where the axis begins, with its zone */
                since: string;
                /** @description where it ends, with its zone */
                until: string;
            };
            header?: never;
            path: {
                /** @description the observation's id, a UUIDv7 */
                observation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GaugesOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `observation-unknown`: No such observation */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    delete_observation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the observation's id, a UUIDv7 */
                observation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `observation-unknown`: No such observation */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    finish_observation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the observation's id, a UUIDv7 */
                observation_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EndIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SamplesOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `observation-unknown`: No such observation */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `observation-ended`: The observation has ended */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    send_samples: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the observation's id, a UUIDv7 */
                observation_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SamplesIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SamplesOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `observation-unknown`: No such observation */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `observation-ended`: The observation has ended */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_operations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OverviewOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    set_quota: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of the overview */
                organisation_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LimitsIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LimitsOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `organisation-unknown`: There is no such organisation */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    import_organisation: {
        parameters: {
            query?: {
                /** @description name of the organisation that has the pack's id here, to add its rows to that */
                into?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportedOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `pack-refused`: The pack cannot be imported */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    retry_all_work: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetriedOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    retry_work: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of the work that was given up */
                subject: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetriedOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    list_all_suggestions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuggestionsOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    decide_suggestion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of the list of suggestions */
                suggestion_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecisionIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuggestionsOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `suggestion-unknown`: There is no such suggestion */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `suggestion-refused`: The suggestion cannot be taken like this */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    rename_organisation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrganisationIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganisationOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    ask_for_deletion: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeletionIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletionOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `name-differs`: The name is another one */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    take_deletion_back: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletionOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    export_organisation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": unknown;
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    hand_over_organisation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HandOverIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MembersOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `role-beyond`: Only an owner may do this; `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `member-unknown`: There is no such member */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_retention: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetentionOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    set_retention: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DaysIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetentionOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `retention-invalid`: The retention cannot be set; `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    require_second_factor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecondFactorRuleIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `second-factor-state`: The second factor is not in that state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    make_organisation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrganisationIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `sign-up-closed`: An invitation is needed; `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `organisations-too-many`: Too many organisations */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    receive_otlp_metrics: {
        parameters: {
            query?: {
                /** @description labels of the histograms meant */
                match?: string | null;
                /** @description the metric that is meant; all without it */
                metric?: string | null;
                /** @description of the runs */
                title?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
                "application/x-protobuf": string;
            };
        };
        responses: {
            /** @description ExportMetricsServiceResponse, in the form of the request. `partialSuccess` says what was not read; the request is stored all the same */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                    "application/x-protobuf": string;
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `origin-foreign`: The request comes from another site; `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `quota-reached`: The organisation's quota is reached */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `upload-too-large`: The upload is too large; `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `upload-malformed`: The upload is not a form with files; `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `raw-files-unavailable`: Files cannot be stored now; `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    sign_up: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignUpIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AskedOut"];
                };
            };
            /** @description `account-gone`: The account was deleted */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `sign-up-closed`: An invitation is needed; `invitation-foreign`: The invitation is for somebody else; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `invitation-ended`: This invitation has ended */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `mails-too-many`: Too many mails were asked for */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    choose_password: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPasswordIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionOut"];
                };
            };
            /** @description `second-factor-needed`: A code is needed; `account-gone`: The account was deleted */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `second-factor-wrong`: The code is wrong; `passkey-refused`: The passkey does not open this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `code-unknown`: This link has ended; `attempt-ended`: This attempt to sign in has ended */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `password-weak`: The password is too easy to guess; `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `sign-ins-too-many`: Too many attempts to sign in */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    ask_password_reset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmailIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AskedOut"];
                };
            };
            /** @description `account-gone`: The account was deleted */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `mails-too-many`: Too many mails were asked for */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_price_list: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceListOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    store_prices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PriceListIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceListOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `price-list-full`: No more prices can be stored */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `price-list-invalid`: The price list has rows that cannot be read; `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    remove_price: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                capacity_bytes: number;
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceListOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    list_publications: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicationsOut"];
                };
            };
            /** @description nothing has changed since the `ETag` that was sent */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_publication: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicationOut"];
                };
            };
            /** @description nothing has changed since the `ETag` that was sent */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `publication-unknown`: There is no such publication */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_quota: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuotaOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_raw_file: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description SHA-256 of the file, in hex */
                sha256: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description They are to be fetched from the object store, at once */
            307: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `raw-file-unknown`: There is no such file */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `raw-file-expired`: The file is not stored any more */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `raw-files-unavailable`: Files cannot be stored now; `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_raw_file_lines: {
        parameters: {
            query?: {
                /** @description lines before and after it */
                context?: number;
                /** @description counts from 1, as in problems */
                line?: number;
                /** @description file inside a zip archive, as the upload names it */
                member?: string | null;
            };
            header?: never;
            path: {
                /** @description SHA-256 of the file, in hex */
                sha256: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinesOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `raw-file-unknown`: There is no such file; `raw-file-line-unknown`: The file has no such line; `raw-file-member-unknown`: There is no such file in the archive */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `raw-file-expired`: The file is not stored any more */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `raw-file-unshowable`: The lines of the file cannot be shown; `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `raw-files-unavailable`: Files cannot be stored now; `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    list_runs: {
        parameters: {
            query?: {
                cursor?: string | null;
                /** @description runs on a page */
                limit?: number;
                /** @description text in title or host name */
                q?: string | null;
                /** @description only these runs; repeat it for several, to see what became of them */
                run?: string[] | null;
                /** @description the organisation's own runs, what anybody has published, or both */
                scope?: "all" | "public" | "mine";
                /** @description the order; a leading minus is descending, runs that are equal follow by id */
                sort?: "started" | "-started" | "title" | "-title" | "workload" | "-workload" | "state" | "-state" | "duration" | "-duration" | "verdict" | "-verdict";
                /** @description only runs in this state */
                state?: ("running" | "finishing" | "finished") | null;
                /** @description only this workload */
                workload?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunPage"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form; `cursor-unreadable`: The cursor is not one of ours */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    announce_run: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Announcement"];
                "application/msgpack": components["schemas"]["Announcement"];
            };
        };
        responses: {
            /** @description taken before; the same message again is harmless */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnnouncementAnswer"];
                };
            };
            /** @description taken */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnnouncementAnswer"];
                };
            };
            /** @description `body-unreadable`: The body cannot be read; `body-damaged`: The body was damaged on its way */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-unknown`: There is no such run */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-conflict`: The run was announced with other content; `quota-reached`: The organisation's quota is reached */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `format-unsupported`: The format of the body is not supported */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `batch-invalid`: The batch breaks a rule of the wire contract; `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the run's id, a UUIDv7 */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunDetail"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-unknown`: There is no such run */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-retracted`: The run was retracted; `run-deleted`: The run was deleted */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    delete_run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the run's id, a UUIDv7 */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-unknown`: There is no such run */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_run_beside: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the run's id, a UUIDv7 */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogsBesideOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-unknown`: There is no such run */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-retracted`: The run was retracted; `run-deleted`: The run was deleted */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_run_course: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the run's id, a UUIDv7 */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CourseOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-unknown`: There is no such run */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-retracted`: The run was retracted; `run-deleted`: The run was deleted */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    answer_disclosure: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the run's id, a UUIDv7 */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DisclosureIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunDetail"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-unknown`: There is no such run */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form; `disclosure-invalid`: The answer cannot be taken */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_run_drive_counters: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the run's id, a UUIDv7 */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DriveCountersOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-unknown`: There is no such run */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-retracted`: The run was retracted; `run-deleted`: The run was deleted */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_run_picture: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description what is drawn; chart is a page for a frame */
                picture: "badge.svg" | "chart.svg" | "chart" | "preview.png";
                /** @description the run's id, a UUIDv7 */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                    "image/svg+xml": string;
                    "text/html": string;
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-unknown`: There is no such run */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-retracted`: The run was retracted; `run-deleted`: The run was deleted */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                    "image/svg+xml": string;
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    watch_run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the run's id, a UUIDv7 */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description server-sent events: `ticks` (new live intervals, see Tick) and `changed` (`{run_id, what, state}`: what to fetch again); a comment every few seconds */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-unknown`: There is no such run */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-retracted`: The run was retracted; `run-deleted`: The run was deleted */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_run_exceedance: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the run's id, a UUIDv7 */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExceedancesOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-unknown`: There is no such run */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-retracted`: The run was retracted; `run-deleted`: The run was deleted */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_run_figures: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the run's id, a UUIDv7 */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FiguresOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-unknown`: There is no such run */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-retracted`: The run was retracted; `run-deleted`: The run was deleted */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_run_findings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the run's id, a UUIDv7 */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunFindingsOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-unknown`: There is no such run */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-retracted`: The run was retracted; `run-deleted`: The run was deleted */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    finish_run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the run's id, a UUIDv7 */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Finish"];
                "application/msgpack": components["schemas"]["Finish"];
            };
        };
        responses: {
            /** @description taken before; the same message again is harmless */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FinishAnswer"];
                };
            };
            /** @description `body-unreadable`: The body cannot be read; `body-damaged`: The body was damaged on its way */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-unknown`: There is no such run */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `finish-conflict`: The run was finished with other content */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `format-unsupported`: The format of the body is not supported */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `batch-invalid`: The batch breaks a rule of the wire contract; `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_run_heatmap: {
        parameters: {
            query?: {
                clock?: ("response" | "service" | "operation" | "queue") | null;
                /** @description since the start of the run */
                from_ns?: number;
                /** @description stretches of time at most */
                max_columns?: number;
                /** @description with `clock`; default: what the run names first, by response time where it has one */
                operation?: string | null;
                /** @description default: the end of the data */
                to_ns?: number | null;
            };
            header?: never;
            path: {
                /** @description the run's id, a UUIDv7 */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeatmapOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-unknown`: There is no such run */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-retracted`: The run was retracted; `run-deleted`: The run was deleted */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_run_intervals: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the run's id, a UUIDv7 */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-unknown`: There is no such run */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-from-file`: The run was read from a file */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-retracted`: The run was retracted; `run-deleted`: The run was deleted; `intervals-expired`: Intervals of the run have been removed */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    send_intervals: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the run's id, a UUIDv7 */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Batch"];
                "application/msgpack": components["schemas"]["Batch"];
            };
        };
        responses: {
            /** @description taken before; the same message again is harmless */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchAnswer"];
                };
            };
            /** @description `body-unreadable`: The body cannot be read; `body-damaged`: The body was damaged on its way */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-unknown`: There is no such run */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `series-conflict`: The series was defined otherwise; `interval-conflict`: The interval was stored with other content; `run-already-finished`: The run has already finished */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `format-unsupported`: The format of the body is not supported */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `batch-invalid`: The batch breaks a rule of the wire contract; `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_run_ladder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the run's id, a UUIDv7 */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LadderOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-unknown`: There is no such run; `run-outside-ladder`: The run is no step of a load ladder */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-retracted`: The run was retracted; `run-deleted`: The run was deleted */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    list_run_links: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the run's id, a UUIDv7 */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinksOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-unknown`: There is no such run */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    make_run_link: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the run's id, a UUIDv7 */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkMadeOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-unknown`: There is no such run */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `links-too-many`: The run has too many links */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    revoke_run_link: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of the list of links */
                link_id: string;
                /** @description the run's id, a UUIDv7 */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinksOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `link-unknown`: There is no such link */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_run_names: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the run's id, a UUIDv7 */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunNamesOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-unknown`: There is no such run */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_run_observations: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the run's id, a UUIDv7 */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ObservationsOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-unknown`: There is no such run */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-retracted`: The run was retracted; `run-deleted`: The run was deleted */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_run_pack: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the run's id, a UUIDv7 */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-unknown`: There is no such run */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `pack-refused`: There is no evidence pack of this run */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-retracted`: The run was retracted; `run-deleted`: The run was deleted; `intervals-expired`: Intervals of the run have been removed */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `pack-too-long`: The evidence pack took too long; `raw-files-unavailable`: Files cannot be stored now; `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_run_percentiles: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the run's id, a UUIDv7 */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PercentilesOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-unknown`: There is no such run */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-retracted`: The run was retracted; `run-deleted`: The run was deleted */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    publish_run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the run's id, a UUIDv7 */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PublicationIn"] | null;
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunDetail"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-unknown`: There is no such run */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form; `disclosure-invalid`: The answer cannot be taken */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_run_report: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description html: a page that holds all it needs; pdf: the same on A4; csv: every figure as a row; jsonld: a description of the run (schema.org) */
                form: "html" | "pdf" | "csv" | "jsonld";
                /** @description the run's id, a UUIDv7 */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/ld+json": Record<string, never>;
                    "application/pdf": string;
                    "text/csv": string;
                    "text/html": string;
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-unknown`: There is no such run */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-retracted`: The run was retracted; `run-deleted`: The run was deleted */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `pdf-unavailable`: There is no PDF of the report; `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    retract_run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the run's id, a UUIDv7 */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RetractionIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunDetail"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-unknown`: There is no such run */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form; `disclosure-invalid`: The answer cannot be taken */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    retry_run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the run's id, a UUIDv7 */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetryOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-unknown`: There is no such run */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    stop_run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the run's id, a UUIDv7 */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunDetail"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-unknown`: There is no such run */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-already-finished`: The run has already finished */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_run_timeline: {
        parameters: {
            query?: {
                /** @description stretches of time at most */
                max_points?: number;
            };
            header?: never;
            path: {
                /** @description the run's id, a UUIDv7 */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TimelineOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-unknown`: There is no such run */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-retracted`: The run was retracted; `run-deleted`: The run was deleted */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    list_member_factors: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberFactorsOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_session: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    create_session: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionOut"];
                };
            };
            /** @description `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    delete_session: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    enter_as_owner: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LocalCodeIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionOut"];
                };
            };
            /** @description `account-gone`: The account was deleted */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `attempt-ended`: This attempt to sign in has ended */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    begin_single_sign_on: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ElsewhereOut"];
                };
            };
            /** @description `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `single-sign-on-off`: There is no single sign-on here */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `sign-ins-too-many`: Too many attempts to sign in */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `provider-away`: The provider of single sign-on cannot be used */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    finish_single_sign_on: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReturnIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionOut"];
                };
            };
            /** @description `single-sign-on-refused`: The provider’s answer is not valid; `mail-unproven`: The e-mail address is not proven; `identity-unconnected`: The account is not connected; `sign-up-closed`: An invitation is needed; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `attempt-ended`: This attempt to sign in has ended; `single-sign-on-off`: There is no single sign-on here */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `identity-taken`: It is connected to another account */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `provider-away`: The provider of single sign-on cannot be used */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    choose_organisation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrganisationChoiceIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `member-unknown`: There is no such member */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    sign_in_with_passkey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeyAnswerIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionOut"];
                };
            };
            /** @description `passkey-refused`: The passkey does not open this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `attempt-ended`: This attempt to sign in has ended */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    begin_passkey_sign_in: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyOptionsOut"];
                };
            };
            /** @description `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `sign-ins-too-many`: Too many attempts to sign in */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    sign_in: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordSignIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionOut"];
                };
            };
            /** @description `sign-in-refused`: E-mail address or password is wrong; `second-factor-needed`: A code is needed; `account-gone`: The account was deleted */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `second-factor-wrong`: The code is wrong; `passkey-refused`: The passkey does not open this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `attempt-ended`: This attempt to sign in has ended */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `sign-ins-too-many`: Too many attempts to sign in */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_sign_in_options: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OptionsOut"];
                };
            };
        };
    };
    carry_production_load: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CarryIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CarriedOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `budget-unknown`: There is no such budget; `run-unknown`: There is no such run; `subject-unknown`: A subject of the comparison is not there */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-retracted`: The run was retracted; `run-deleted`: The run was deleted */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `budget-invalid`: The budget breaks a rule; `request-invalid`: The request does not have the documented form; `question-too-large`: The question takes too much calculation; `subject-invalid`: The question cannot be asked of this record; `subjects-invalid`: These cannot be compared; `question-invalid`: The question breaks a rule */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    evaluate_sla: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EvaluateIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluationOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `budget-unknown`: There is no such budget; `run-unknown`: There is no such run */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-retracted`: The run was retracted; `run-deleted`: The run was deleted */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `budget-invalid`: The budget breaks a rule; `request-invalid`: The request does not have the documented form; `question-too-large`: The question takes too much calculation; `subject-invalid`: The question cannot be asked of this record */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_load_search: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the run's id, a UUIDv7 */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoadSearchOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `budget-unknown`: There is no such budget; `run-unknown`: There is no such run; `run-outside-search`: The run is no probe of a search for the highest load */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-retracted`: The run was retracted; `run-deleted`: The run was deleted */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `budget-invalid`: The budget breaks a rule; `request-invalid`: The request does not have the documented form; `question-too-large`: The question takes too much calculation; `subject-invalid`: The question cannot be asked of this record */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    compare_load_searches: {
        parameters: {
            query: {
                /** @description any probe of each; the base first */
                run: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ComparedSearchesOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `budget-unknown`: There is no such budget; `run-unknown`: There is no such run */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-retracted`: The run was retracted; `run-deleted`: The run was deleted */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `budget-invalid`: The budget breaks a rule; `request-invalid`: The request does not have the documented form; `question-too-large`: The question takes too much calculation; `subject-invalid`: The question cannot be asked of this record */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    match_sla: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MatchIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MatchOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `budget-unknown`: There is no such budget */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `budget-invalid`: The budget breaks a rule; `request-invalid`: The request does not have the documented form; `question-too-large`: The question takes too much calculation; `cursor-unreadable`: The cursor is not one of ours */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    relax_sla: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RelaxIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RelaxationsOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `budget-unknown`: There is no such budget; `run-unknown`: There is no such run */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-retracted`: The run was retracted; `run-deleted`: The run was deleted */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `budget-invalid`: The budget breaks a rule; `request-invalid`: The request does not have the documented form; `question-too-large`: The question takes too much calculation; `subject-invalid`: The question cannot be asked of this record */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    size_sla: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SizeIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SizeOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `budget-unknown`: There is no such budget; `run-unknown`: There is no such run */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `run-retracted`: The run was retracted; `run-deleted`: The run was deleted */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `budget-invalid`: The budget breaks a rule; `request-invalid`: The request does not have the documented form; `question-too-large`: The question takes too much calculation; `subject-invalid`: The question cannot be asked of this record; `question-invalid`: The question breaks a rule */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    list_suggestions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuggestionsOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    make_suggestion: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SuggestionIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuggestionOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `suggestion-unknown`: There is no such suggestion */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `suggestion-refused`: The suggestion cannot be taken like this */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    withdraw_suggestion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of the list of suggestions */
                suggestion_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuggestionsOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `suggestion-unknown`: There is no such suggestion */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `suggestion-refused`: The suggestion cannot be taken like this */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    list_tokens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokensOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    make_token: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenMadeOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `access-tokens-too-many`: Too many tokens */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    revoke_token: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of the list of tokens */
                token_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokensOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `access-token-unknown`: There is no such token */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    rotate_token: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of the list of tokens */
                token_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RotationIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenMadeOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `access-token-unknown`: There is no such token */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `access-tokens-too-many`: Too many tokens */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    read_trail: {
        parameters: {
            query?: {
                action?: string | null;
                actor?: string | null;
                /** @description only events before this number */
                below?: number | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrailOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    export_trail: {
        parameters: {
            query?: {
                action?: string | null;
                actor?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    list_uploads: {
        parameters: {
            query?: {
                cursor?: string | null;
                /** @description uploads on a page */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadPage"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form; `cursor-unreadable`: The cursor is not one of ours */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    upload_files: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** @description JSON object: facts that the files do not state, by field */
                    answers?: string;
                    /** @description result files of one or several runs, and their configurations; gzip, zstd and zip are opened */
                    files: string[];
                    /**
                     * @description the files are of several clients of one test: they are added up and become one run
                     * @default false
                     */
                    join?: boolean;
                    /** @description JSON object of texts, stored in the plan: branch, commit … */
                    labels?: string;
                    /**
                     * Format: line
                     * @description labels of the histograms that are meant, which are added up: `route="/pay",method!="GET"`
                     */
                    match?: string;
                    /**
                     * Format: line
                     * @description metric that is meant of a file of production histograms (Prometheus, OpenTelemetry), with or without its unit; all of them without it
                     */
                    metric?: string;
                    /**
                     * Format: name
                     * @description of the runs, instead of their files'
                     */
                    title?: string;
                    /**
                     * @default private
                     * @enum {string}
                     */
                    visibility?: "private" | "public";
                };
            };
        };
        responses: {
            /** @description The same files were sent before; what they became */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadOut"];
                };
            };
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadOut"];
                };
            };
            /** @description The files are stored, and reading them takes a while: a worker does it. Ask for the upload again until its `state` is not `waiting` */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `origin-foreign`: The request comes from another site; `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `quota-reached`: The organisation's quota is reached */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `upload-too-large`: The upload is too large; `upload-too-many-files`: The upload has too many files; `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `upload-malformed`: The upload is not a form with files; `upload-unreadable`: No file of the upload could be read; `request-invalid`: The request does not have the documented form; `disclosure-invalid`: The answer cannot be taken */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `raw-files-unavailable`: Files cannot be stored now; `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_upload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description as the answer to the upload named it */
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `upload-unknown`: There is no such upload */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    delete_upload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description as the answer to the upload named it */
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `upload-unknown`: There is no such upload */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    answer_upload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description as the answer to the upload named it */
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UploadAnswersIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadOut"];
                };
            };
            /** @description Its files are read again by a worker; ask again */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `upload-unknown`: There is no such upload; `run-unknown`: There is no such run */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `raw-file-expired`: The file is not stored any more */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `disclosure-invalid`: The answer cannot be taken; `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    retry_upload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description as the answer to the upload named it */
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetryOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `upload-unknown`: There is no such upload */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    list_watches: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WatchesOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    make_watch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WatchIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WatchMadeOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `budget-unknown`: There is no such budget */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `watches-too-many`: There are too many watches */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `watch-invalid`: This cannot be watched; `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    end_watch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of the list of watches */
                watch_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `watch-unknown`: There is no such watch */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    get_watch_trend: {
        parameters: {
            query?: {
                /** @description reads where none is named */
                operation?: string | null;
            };
            header?: never;
            path: {
                /** @description of the list of watches */
                watch_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrendOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `watch-unknown`: There is no such watch */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    try_watch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of the list of watches */
                watch_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WatchOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this; `origin-foreign`: The request comes from another site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `watch-unknown`: There is no such watch */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-slow`: The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `body-too-large`: The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `watch-invalid`: This cannot be watched; `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `mails-too-many`: Too many mails were asked for; `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    list_given_up_work: {
        parameters: {
            query?: {
                /** @description works, the newest first */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailuresOut"];
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `storage-unavailable`: The database cannot be reached; `busy`: Too much is asked at once */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    metrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": unknown;
                };
            };
            /** @description `token-missing`: An access token is needed; `token-unknown`: The access token is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `token-scope`: The access token does not allow this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist; `requests-too-many`: Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    readiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            /** @description the database is away, or not migrated */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
        };
    };
    follow_link: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of a link */
                secret: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                    "image/svg+xml": string;
                    "text/csv": string;
                    "text/html": string;
                };
            };
            /** @description there is no such link */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                    "text/html": string;
                };
            };
            /** @description the link has ended */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                    "text/html": string;
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `pdf-unavailable`: There is no PDF of the report; `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
    follow_link_to: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description what is asked for */
                name: "report.html" | "report.pdf" | "report.csv" | "badge.svg" | "chart.svg" | "chart";
                /** @description of a link */
                secret: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                    "image/svg+xml": string;
                    "text/csv": string;
                    "text/html": string;
                };
            };
            /** @description there is no such link */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                    "text/html": string;
                };
            };
            /** @description the link has ended */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                    "text/html": string;
                };
            };
            /** @description `request-invalid`: The request does not have the documented form */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `guesses-too-many`: Too many tokens that do not exist */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
            /** @description `pdf-unavailable`: There is no PDF of the report; `busy`: Too much is asked at once; `storage-unavailable`: The database cannot be reached */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDocument"];
                };
            };
        };
    };
}
