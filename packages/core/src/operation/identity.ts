import type { AccountStorage } from '../storage/port.ts'
import type { Caller } from './caller.ts'
import type { Host } from './context.ts'

/**
 * Finds the caller behind an access token. The pipeline knows no resource, so whoever keeps tokens brings this.
 *
 * @returns undefined for a token that is unknown, expired or deleted, or whose member is gone.
 */
export type Identify = (storage: AccountStorage, host: Host, token: string) => Promise<Caller | undefined>
