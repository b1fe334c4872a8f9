export { listContextKinds } from './list-context-kinds.ts'
export { putContextKind } from './put-context-kind.ts'
