// Search parameter of the upload page: the shown upload.
import { type Change, compact, type RawSearch, text } from "@/lib/search";

export const uploadSearch = (raw: RawSearch) => compact({ upload: text(raw["upload"], 36) });

export type UploadSearch = ReturnType<typeof uploadSearch>;
export type UploadChange = Change<UploadSearch>;
