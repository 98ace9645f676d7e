import type { Plan } from '../contract/limits.ts';
import type { ExtraHeaders } from './extra-headers.ts';

/** The parsed settings. A setting is absent if it is not set and has no default. */
export interface Settings {
  readonly BASE_URL?: string;
  readonly SANDBOX_API_KEY?: string;
  readonly LIVE_API_KEY?: string;
  readonly ENTERPRISE_API_KEY?: string;
  readonly ENTERPRISE_PER_MINUTE: number;
  readonly WORKSPACE_API_URL?: string;
  readonly WORKSPACE_API_KEY?: string;
  readonly WORKSPACE_SECOND_API_KEY?: string;
  readonly WORKSPACE_LIMITED_API_KEY?: string;
  readonly WORKSPACE_REVOKED_API_KEY?: string;
  readonly WORKSPACE_OTHER_API_KEY?: string;
  readonly WORKSPACE_PLAN: Plan;
  readonly WEBHOOK_LISTEN: string;
  readonly WEBHOOK_PUBLIC_URL?: string;
  readonly WEBHOOK_SECRET?: string;
  readonly WRITES: 'none' | 'sandbox' | 'all';
  readonly EXHAUST: 'none' | 'own' | 'all';
  readonly CLOCK_SPEED: number;
  readonly KEY_SETTLE_MS: number;
  readonly EVENT_WAIT_MS: number;
  readonly STRICT: '0' | '1';
  readonly PROFILE?: string;
  readonly WAIVERS?: string;
  readonly MAX_REQUESTS?: number;
  readonly TIMEOUT_MS: number;
  readonly BODIES?: string;
  readonly EXTRA_HEADERS?: ExtraHeaders;
  readonly OPENAPI?: string;
  readonly SEED?: number;
  readonly REPORTS_DIR: string;
}
