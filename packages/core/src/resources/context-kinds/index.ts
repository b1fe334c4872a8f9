import { contextKinds as contextKindDocuments } from '../../models/context-kinds/context-kind.ts'
import { resource } from '../../operation/resource.ts'
import { listContextKinds } from './list-context-kinds.ts'
import { putContextKind } from './put-context-kind.ts'

export const contextKinds = resource({
  title: 'Context kinds',
  description: 'The kinds of contexts that flags are evaluated for.',
  kinds: [{ shape: 'proj:context-kind', actions: ['createContextKind', 'updateContextKind'] }],
  collections: [contextKindDocuments],
  operations: [listContextKinds, putContextKind],
  parameters: {
    key: 'Key of the context kind.',
  },
})
