import type { AccountStorage } from '../../storage/port.ts'
import { collectionFinder } from '../back-ups/collection-of.ts'
import { storedCollections } from '../generated/stored-collections.ts'
import { ChangeHistory } from './change-history.ts'
import { type MomentInput, type MomentName, parseMoment } from './moment.ts'
import { pastStorage } from './past-storage.ts'

/** The storage of an account as it was. */
export interface PastState {
  /** Integer milliseconds, UTC. */
  readonly time: number
  readonly storage: AccountStorage
}

/**
 * Makes the function that returns an account as it was at a moment: a part of the design of an engine.
 *
 * @throws ApiError `invalid_request` naming the moment, by the function, when it is no moment or in the future.
 */
export type PastStorages = (stored: AccountStorage) => (moment: MomentInput, now: number, name: MomentName) => PastState

/** Storages of the past that undo the changes which the change log lists. */
export const pastStorages: PastStorages = (stored) => {
  const history = new ChangeHistory(stored)
  const collectionOf = collectionFinder(storedCollections)
  const unlogged = new Set(storedCollections.flatMap(({ name, createdAt }) => (createdAt ? [name] : [])))
  return (input, now, name) => {
    const moment = parseMoment(input, now, name)
    return { time: moment.time, storage: pastStorage({ stored, history, collectionOf, unlogged, moment, name }) }
  }
}
