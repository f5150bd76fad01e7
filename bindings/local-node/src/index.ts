// What honeyguide-local exports.

export { type ErrorRecord, HoneyguideError, type LocalErrorCode } from "./error.js";
export {
  type EmbedOptions,
  type EmbedProgress,
  type LocalModel,
  type LocalModelOptions,
  localModel,
  type Role,
} from "./local-model.js";
