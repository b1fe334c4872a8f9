import { contextKinds as contextKindDocuments } from '../../models/context-kinds/context-kind.ts'
import { resource } from '../../operation/resource.ts'
import * as operations from './operations.ts'

export const contextKinds = resource({
  title: 'Context kinds',
  description: 'The kinds of contexts for which flags are evaluated.',
  kinds: [{ shape: 'proj:context-kind', actions: ['createContextKind', 'updateContextKind'] }],
  collections: [contextKindDocuments],
  operations: Object.values(operations),
  parameters: {
    key: 'Key of the context kind.',
  },
})
