import type { AccountStorage } from '../storage/port.ts'

export type Reserve = NonNullable<AccountStorage['reserve']>

/** What this process may hand out of a quantity of one window, and what it knows of the rest. */
export interface Portion {
  readonly key: string
  readonly limit: number
  /** Handed out here. */
  taken: number
  /** Ours to hand out. */
  inHand: number
  /** What nobody had taken when storage was asked last. */
  elsewhere: number
  /** Below this storage is asked ahead of time. */
  low: number
  /** Requests that cannot go on before there is more. */
  waiting: number
  asking: Promise<void> | undefined
}

/** What the portions of one window have in common. */
export interface Window {
  /** Integer ms, UTC. */
  readonly start: number
  /** When the next one starts: integer ms, UTC. */
  readonly reset: number
  /** Where portions come from; undefined where this process counts by itself. */
  reserve: Reserve | undefined
}

/** How many portions a quantity is cut into: what a process that goes idle keeps to itself is no more than one. */
const portions = 20

/** A quantity of a window, nothing of which is taken yet. */
export function newPortion(window: Window, key: string, limit: number): Portion {
  const own = window.reserve ? 0 : limit
  const elsewhere = limit - own
  return { key, limit, taken: 0, inHand: own, elsewhere, low: 0, waiting: 0, asking: undefined }
}

/** Whether nothing is left anywhere. */
export function isSpent({ inHand, elsewhere }: Portion): boolean {
  return inHand === 0 && elsewhere === 0
}

/** What is left for all processes together, as far as it is known here. */
export function leftOf({ inHand, elsewhere }: Portion): number {
  return inHand + elsewhere
}

/** Hands out one of what is in hand. */
export function takeOne(window: Window, portion: Portion, failed: Failed): void {
  portion.taken++
  portion.inHand--
  if (portion.inHand >= portion.low || portion.elsewhere === 0) return
  // Nobody waits for it, so nobody could be told what a log of the host throws.
  void ask(window, portion, failed).catch(() => {})
}

/** Waits until something was added to what is in hand, or nothing is left. */
export async function waitForMore(window: Window, portion: Portion, failed: Failed): Promise<void> {
  portion.waiting++
  try {
    await ask(window, portion, failed)
  } finally {
    portion.waiting--
  }
}

/** Told why this process counts by itself from now on. */
export type Failed = (error: unknown) => void

/** One question at a time: whoever comes meanwhile waits for the same answer. */
function ask(window: Window, portion: Portion, failed: Failed): Promise<void> {
  portion.asking ??= fetchMore(window, portion, failed).finally(() => (portion.asking = undefined))
  return portion.asking
}

async function fetchMore(window: Window, portion: Portion, failed: Failed): Promise<void> {
  // So that all who come in the same turn are counted.
  await undefined
  if (!window.reserve) return countAlone(portion)
  const { key, limit, elsewhere, waiting } = portion
  // Smaller and smaller ones towards the end, so that no process keeps what another one could use.
  const wanted = Math.max(Math.min(Math.ceil(limit / portions), Math.floor(elsewhere / 2)), waiting, 1)
  try {
    const { granted, left } = await window.reserve({ key, window: window.start, until: window.reset, limit, wanted })
    portion.inHand += granted
    portion.elsewhere = granted > 0 ? left : 0
    portion.low = Math.floor(granted / 4)
  } catch (error) {
    // A limit must not take the service down with it.
    countAlone(portion)
    stopSharing(window, error, failed)
  }
}

/** Told once per window, whatever was asked meanwhile. */
function stopSharing(window: Window, error: unknown, failed: Failed): void {
  if (!window.reserve) return
  window.reserve = undefined
  failed(error)
}

function countAlone(portion: Portion): void {
  portion.inHand = portion.limit - portion.taken
  portion.elsewhere = 0
  portion.low = 0
}
