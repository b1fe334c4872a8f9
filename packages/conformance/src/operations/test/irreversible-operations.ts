import path from 'node:path'
import { coreSources } from './logged-state.ts'

const file = path.join(coreSources, 'resources/change-log/revert/irreversible-operations.ts')

/** The table of the operations whose entries cannot be reverted, with the reasons. */
export const { irreversibleOperations } = (await import(file)) as {
  readonly irreversibleOperations: Readonly<Record<string, string>>
}
