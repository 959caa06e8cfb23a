// What the page takes: every tool, and the same from a command line.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { formatsQuery } from "@/api/formats";
import { Command } from "@/ui/Command";
import classes from "./UploadPage.module.css";

export function WhatCanBeDropped({ open }: { open: boolean }) {
  const tools = useQuery(formatsQuery()).data?.tools;
  return (
    <div className={classes["offers"]}>
      <details className="panel" open={open}>
        <summary>What can be dropped</summary>
        <p className="dim">
          Recognised by content, never by name alone. gzip, zstd, zip and tar are opened. Everything is stored as it
          came, with its SHA-256.
        </p>
        {tools === undefined ? null : <p>{tools.map((tool) => tool.title).join(" · ")}</p>}
        <p>
          <Link to="/formats">Versions and kinds of files, and what of them is read</Link>
        </p>
      </details>
      <details className="panel" open={open}>
        <summary>From a command line</summary>
        <div className="stack-8 items-start">
          <p>Send the same files, and get the links:</p>
          <Command text="tailroom upload FILE…" />
          <p>Look into a file without sending it anywhere:</p>
          <Command text="tailroom inspect FILE…" />
        </div>
      </details>
    </div>
  );
}
