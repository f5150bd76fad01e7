// What the package exports, name by name.

export type { Backoff } from "./backoff.js";
export type { Clock } from "./clock.js";
export {
  type McpConfig,
  type McpServerConfig,
  type McpServers,
  type McpServersOptions,
  registerMcpServers,
} from "./config.js";
export { type ListedTool, partsOf } from "./definition.js";
export { type FaultKind, McpServerError } from "./fault.js";
export { SignInError, type SignInFaultCode } from "./oauth/fault.js";
export { type SignInOptions, type SignInProvider, signIn, signOut } from "./oauth/sign-in.js";
export type {
  ApprovalRule,
  DriftPolicy,
  McpDiagnostic,
  McpServerAddress,
  McpServerSettings,
  ProgressingCall,
  ToolTerms,
} from "./options.js";
export { type McpServerHandle, type McpServerOptions, registerMcpServer } from "./register.js";
export type { McpClient, McpSdk, McpTransport } from "./sdk.js";
export type { McpServerState, McpServerStatus } from "./server.js";
