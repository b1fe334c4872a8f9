import { listContextKinds } from './list-context-kinds.ts'
import { putContextKind } from './put-context-kind.ts'

export const contextKindOperations = [listContextKinds, putContextKind] as const
