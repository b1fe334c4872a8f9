import type { ExampleMakers } from '../example.ts'
import { newFlag } from './flags.ts'

export const apiRootExamples: ExampleMakers = {
  getRoot: () => ({}),
  getVersions: () => ({}),
  getCallerIdentity: () => ({}),
  listTags: async (context) => {
    await newFlag(context)
    return { query: { kind: 'flag,project', pre: 's', limit: '5' } }
  },
}
