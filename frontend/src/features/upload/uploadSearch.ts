// What the address of the upload page says: which upload is shown.
import { compact, type RawSearch } from "@/lib/search";

export type UploadSearch = { upload?: string };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function uploadSearch(raw: RawSearch): UploadSearch {
  const upload = raw["upload"];
  return compact({ upload: typeof upload === "string" && UUID.test(upload) ? upload : undefined });
}
