// What of an address the upload page keeps: which upload is shown.
import type { UploadSearch } from "@/features/upload/UploadPage";
import { compact, type RawSearch } from "@/lib/search";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function uploadSearch(raw: RawSearch): UploadSearch {
  const upload = raw["upload"];
  return compact({ upload: typeof upload === "string" && UUID.test(upload) ? upload : undefined });
}
