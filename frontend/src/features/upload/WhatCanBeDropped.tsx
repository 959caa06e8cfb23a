// What the page takes: every tool with its files, and the same from a command line.
import { Command } from "@/ui/Command";
import { ScrollRegion } from "@/ui/ScrollRegion";
import classes from "./UploadPage.module.css";

const TOOLS: readonly (readonly [tool: string, files: string])[] = [
  ["ACT 2013 to 6.x", "logs of act, act_storage and act_index; the configuration is read with them"],
  ["fio", "JSON and JSON+, terse, latency and histogram logs"],
  ["memtier_benchmark", "text, JSON, HDR logs, percentile tables"],
  ["YCSB", "output, time series, raw lines, JSON, HDR logs"],
  ["HdrHistogram", "interval logs (V1 and V2), percentile tables"],
  ["asbench", "output, output files, HDR logs"],
  ["Aerospike Java benchmark", "output with latency columns, in either form"],
  ["redis-benchmark", "CSV and text"],
  ["pgbench", "output and per-transaction logs"],
  ["sysbench", "output with intervals and histogram"],
  ["Tailroom agent", "result files of `tailroom-agent run --result`"],
  ["any other", "a distribution as JSON: buckets, quantiles or knots"],
];

export function WhatCanBeDropped({ open }: { open: boolean }) {
  return (
    <div className={classes["offers"]}>
      <details className="panel" open={open}>
        <summary>What can be dropped</summary>
        <p className="dim">
          Recognised by content, never by name alone. gzip, zstd and zip are opened. Everything is kept as it came, with
          its SHA-256.
        </p>
        <ScrollRegion label="Tools and their files">
          <table className="data">
            <thead>
              <tr>
                <th scope="col">Tool</th>
                <th scope="col">Files</th>
              </tr>
            </thead>
            <tbody>
              {TOOLS.map(([tool, files]) => (
                <tr key={tool}>
                  <th scope="row">{tool}</th>
                  <td>{files.replaceAll("`", "")}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      </details>
      <details className="panel" open={open}>
        <summary>From a command line</summary>
        <div className={classes["commands"]}>
          <p>Send the same files, and get the links:</p>
          <Command text="tailroom upload FILE…" />
          <p>Look into a file without sending it anywhere:</p>
          <Command text="tailroom inspect FILE…" />
        </div>
      </details>
    </div>
  );
}
