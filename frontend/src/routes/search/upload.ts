// Validation of the upload page's search parameter, the shown upload.
import type { UploadSearch } from "@/features/upload/UploadPage";
import { compact, type RawSearch, text } from "@/lib/search";

export function uploadSearch(raw: RawSearch): UploadSearch {
  return compact({ upload: text(raw["upload"], 36) });
}
