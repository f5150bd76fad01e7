// What signing in takes from the system, so that a test can give it something else. Knows no server.

import { type Limits, usualLimits } from "./guarded-fetch.js";
import { type Network, systemNetwork } from "./network.js";

export interface Surroundings {
  readonly network: Network;
  readonly limits: Limits;
  /** Seconds since 1970. */
  now(): number;
}

export const usualSurroundings: Surroundings = {
  network: systemNetwork,
  limits: usualLimits,
  now: () => Math.floor(Date.now() / 1000),
};
