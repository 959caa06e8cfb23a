// What of an address the upload page keeps: which upload is shown.
import type { UploadSearch } from "@/features/upload/UploadPage";
import { compact, type RawSearch, text } from "@/lib/search";

export function uploadSearch(raw: RawSearch): UploadSearch {
  return compact({ upload: text(raw["upload"], 36) });
}
