// Hands on what a transport hears in the order in which it came: the official client lets a result overtake the progress that
// was reported just before it, and then drops that. Knows no request.

import type { McpTransport } from "./sdk.js";

/** Puts itself between a connected transport and its client. */
export function inOrder(transport: McpTransport): void {
  const { onmessage, onclose } = transport;
  if (!onmessage) return;
  const waiting: Parameters<typeof onmessage>[] = [];
  // Whether every progress that was handed on has been told to who waits for it.
  let isTold = true;
  const handOn = (heard: Parameters<typeof onmessage>) => {
    onmessage(...heard);
    if (!isProgress(heard[0]) || !isTold) return;
    isTold = false;
    setImmediate(() => {
      isTold = true;
      goOn();
    });
  };
  const goOn = () => {
    while (waiting[0] && (isTold || isProgress(waiting[0][0])))
      handOn(waiting.shift() as (typeof waiting)[0]);
  };
  transport.onmessage = (...heard) => {
    waiting.push(heard);
    goOn();
  };
  // What came before the end is not lost with it.
  transport.onclose = () => {
    for (const heard of waiting.splice(0)) onmessage(...heard);
    onclose?.();
  };
}

function isProgress(message: unknown): boolean {
  return (message as { method?: unknown } | null | undefined)?.method === "notifications/progress";
}
