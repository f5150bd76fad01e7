// The engine's operations as methods. Written by `make gen`; do not edit.

import type * as wire from "./types.js";

/** Sends one operation and returns its parsed answer, or throws what the envelope says. */
export type Send = <Answer>(operation: string, request: object) => Answer;

export class EngineClient {
  constructor(readonly send: Send) {}

  register(request: wire.RegisterRequest): wire.RegisterResponse {
    return this.send("register", request);
  }

  replaceAll(request: wire.ReplaceAllRequest): wire.RegisterResponse {
    return this.send("replaceAll", request);
  }

  remove(request: wire.RemoveRequest): wire.RemoveResponse {
    return this.send("remove", request);
  }

  get(request: wire.GetRequest): wire.GetResponse {
    return this.send("get", request);
  }

  list(request: wire.ListRequest): wire.ListResponse {
    return this.send("list", request);
  }

  size(request: wire.SizeRequest): wire.SizeResponse {
    return this.send("size", request);
  }

  search(request: wire.SearchRequest): wire.SearchResponse {
    return this.send("search", request);
  }

  setServer(request: wire.SetServerRequest): wire.RevisionResponse {
    return this.send("setServer", request);
  }

  removeServer(request: wire.RemoveServerRequest): wire.RevisionResponse {
    return this.send("removeServer", request);
  }

  listServers(request: wire.EmptyRequest): wire.ListServersResponse {
    return this.send("listServers", request);
  }

  setSession(request: wire.SetSessionRequest): wire.RevisionResponse {
    return this.send("setSession", request);
  }

  endSession(request: wire.EndSessionRequest): wire.RevisionResponse {
    return this.send("endSession", request);
  }

  modelTools(request: wire.ModelToolsRequest): wire.ModelToolsResponse {
    return this.send("modelTools", request);
  }

  step(request: wire.StepRequest): wire.Step {
    return this.send("step", request);
  }

  resume(request: wire.ResumeRequest): wire.Step {
    return this.send("resume", request);
  }

  invoke(request: wire.InvokeRequest): wire.Step {
    return this.send("invoke", request);
  }

  resolve(request: wire.ResolveRequest): wire.ResolveResponse {
    return this.send("resolve", request);
  }

  recall(request: wire.RecallRequest): wire.RecallResponse {
    return this.send("recall", request);
  }

  forModel(request: wire.ForModelRequest): wire.ForModelResponse {
    return this.send("forModel", request);
  }

  diagnose(request: wire.EmptyRequest): wire.DiagnoseResponse {
    return this.send("diagnose", request);
  }
}
