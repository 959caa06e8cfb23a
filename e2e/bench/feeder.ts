// Sends benchmark data to the API: one JSON request after another over a keep-alive connection, as the agent does.
import type { Batch, PreparedRun } from "./tenMinuteRun.ts";

export class Feeder {
  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  announce(run: PreparedRun): Promise<void> {
    return this.post("/runs", run.announcement);
  }

  send(run: PreparedRun, batch: Batch): Promise<void> {
    return this.post(`/runs/${run.runId}/intervals`, batch);
  }

  finish(run: PreparedRun): Promise<void> {
    return this.post(`/runs/${run.runId}/finish`, run.finish);
  }

  private async post(path: string, message: object): Promise<void> {
    const answer = await fetch(`${this.url}/api/v1${path}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${this.token}`, "Content-Type": "application/json" },
      body: JSON.stringify(message),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`POST ${path} answered ${answer.status}: ${text}`);
  }
}
