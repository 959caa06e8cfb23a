import { describe, expect, it } from "vitest";
import { BackendUnreachable } from "@/api/problem";
import type { Sending, UploadResult } from "@/api/sendFiles";
import { type Transfer, TransferQueue } from "./transfers";

const file = (name: string, size = 10): File => new File([new Uint8Array(size)], name);

/** Upload function whose results the test controls. */
function sender() {
  const calls: {
    names: string[];
    sending: Sending;
    done: (sent: UploadResult) => void;
    fail: (error: Error) => void;
  }[] = [];
  const send = (files: readonly File[], sending: Sending): Promise<UploadResult> =>
    new Promise((done, fail) => {
      sending.signal.addEventListener("abort", () => fail(new DOMException("cancelled", "AbortError")));
      calls.push({ names: files.map((one) => one.name), sending, done, fail });
    });
  return { calls, send };
}

const sent = (uploadId: string): UploadResult => ({ uploadId, upload: null, isNew: true });
const steps = (queue: TransferQueue): string[] => queue.transfers().map((one) => one.state.step);
const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

describe("transfers", () => {
  it("say that their files are the clients of one test only where that was chosen", async () => {
    const { calls, send } = sender();
    const queue = new TransferQueue(send);
    queue.add([file("a.hdr"), file("b.hdr")], { join: true });
    queue.add([file("c.log")]);
    calls[0]?.done(sent("1"));
    await settle();
    expect(calls.map(({ sending }) => sending.join ?? false)).toEqual([true, false]);
  });

  it("send the metric and the labels that were chosen, with those files only", async () => {
    const { calls, send } = sender();
    const queue = new TransferQueue(send);
    queue.add([file("page.txt")], { metric: "http_server_duration", match: 'route="/pay"' });
    queue.add([file("c.log")]);
    calls[0]?.done(sent("1"));
    await settle();
    expect(calls.map(({ sending }) => [sending.metric, sending.match])).toEqual([
      ["http_server_duration", 'route="/pay"'],
      [undefined, undefined],
    ]);
  });

  it("go one after the other, in the order in which they were dropped", async () => {
    const { calls, send } = sender();
    const queue = new TransferQueue(send);
    queue.add([file("a.log"), file("a.conf")]);
    queue.add([file("b.log")]);
    queue.add([]);
    expect(steps(queue)).toEqual(["sending", "waiting"]);
    expect(calls.map((call) => call.names)).toEqual([["a.log", "a.conf"]]);
    calls[0]!.sending.onProgress(5, 20);
    expect(queue.transfers()[0]!.state).toEqual({ step: "sending", sentBytes: 5, totalBytes: 20 });
    calls[0]!.sending.onProgress(20, 20);
    expect(steps(queue)).toEqual(["reading", "waiting"]);
    calls[0]!.done(sent("one"));
    await settle();
    expect(steps(queue)).toEqual(["done", "sending"]);
    expect(calls[1]!.names).toEqual(["b.log"]);
  });

  it("that fail keep their files, do not hold up the next, and can be sent again", async () => {
    const { calls, send } = sender();
    const queue = new TransferQueue(send);
    queue.add([file("a.log")]);
    queue.add([file("b.log")]);
    calls[0]!.fail(new BackendUnreachable());
    await settle();
    expect(steps(queue)).toEqual(["failed", "sending"]);
    queue.retry(queue.transfers()[0]!.id);
    expect(steps(queue)).toEqual(["waiting", "sending"]);
    calls[1]!.done(sent("two"));
    await settle();
    expect(calls[2]!.names).toEqual(["a.log"]);
    expect(queue.transfers()[0]!.files[0]!.name).toBe("a.log");
  });

  it("can be cancelled while they wait and while they are sent, and stay until removed", async () => {
    const { calls, send } = sender();
    const queue = new TransferQueue(send);
    queue.add([file("a.log")]);
    queue.add([file("b.log")]);
    const [first, second] = queue.transfers() as [Transfer, Transfer];
    queue.cancel(second.id);
    expect(steps(queue)).toEqual(["sending", "cancelled"]);
    queue.cancel(first.id);
    await settle();
    expect(calls[0]!.sending.signal.aborted).toBe(true);
    expect(steps(queue)).toEqual(["cancelled", "cancelled"]);
    queue.remove(first.id);
    expect(queue.transfers().map((one) => one.id)).toEqual([second.id]);
  });

  it("removed while they are sent are cancelled, and the next begins", async () => {
    const { calls, send } = sender();
    const queue = new TransferQueue(send);
    queue.add([file("a.log")]);
    queue.add([file("b.log")]);
    queue.remove(queue.transfers()[0]!.id);
    await settle();
    expect(calls.map((call) => call.names)).toEqual([["a.log"], ["b.log"]]);
    expect(calls[0]!.sending.signal.aborted).toBe(true);
    expect(steps(queue)).toEqual(["sending"]);
  });

  it("tell once when they are read, and what was known of their runs before", async () => {
    const { calls, send } = sender();
    const queue = new TransferQueue(send);
    const told: Transfer[] = [];
    queue.onDone((transfer) => told.push(transfer));
    const known = new Map([["run", { title: "a", measuredNs: 24e9 }]]);
    queue.add([file("a.log")], { continues: "run", reaches: known });
    calls[0]!.done(sent("one"));
    await settle();
    expect(told).toHaveLength(1);
    expect(told[0]!.continues).toBe("run");
    expect(told[0]!.reaches.get("run")!.measuredNs).toBe(24e9);
    expect(told[0]!.state).toMatchObject({ step: "done", uploadId: "one" });
  });
});
