// What the package exports, name by name.

export type { Check } from "./check.js";
export { conformance } from "./conformance.js";
export type {
  Abilities,
  Arguments,
  Asked,
  CallEntry,
  Entry,
  Feature,
  Harness,
  ModelCall,
  ModelRequest,
  Outcome,
  ResultEntry,
  RunRequest,
  TextEntry,
  ToolCall,
  Turn,
  View,
  WantedTool,
} from "./harness.js";
