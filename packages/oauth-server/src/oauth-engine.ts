import type { Engine } from '@halyard/core'

/** The part of an engine that the server needs. */
export type OAuthEngine = Pick<Engine, 'handle' | 'oauth'>
