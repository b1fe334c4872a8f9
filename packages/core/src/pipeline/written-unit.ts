import type { UnitOfWork } from '../storage/unit-of-work.ts'

/** The writes of a run: a unit of work, or several that are committed together. */
export type WrittenUnit = Pick<UnitOfWork, 'changed' | 'written' | 'writtenIds' | 'documentAfter'>
