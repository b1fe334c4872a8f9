import type { Statement } from '../../rules/policy/statement.ts'
import { documents, type Versioned } from '../../storage/collection.ts'

/** A custom role: a named policy. Its key is its id. */
export interface Role extends Versioned {
  readonly key: string
  readonly name: string
  readonly description: string
  readonly policy: readonly Statement[]
  readonly createdAt: number
}

export const roles = documents<Role>()({
  name: 'role',
  address: 'role/{roleKey}',
  fields: ({ name }) => ({ name }),
  shown: { key: (key) => ({ _id: key, key }), createdAt: null },
  changes: {
    key: null,
    name: 'updateName',
    description: 'updateDescription',
    policy: 'updatePolicy',
    createdAt: null,
  },
})
