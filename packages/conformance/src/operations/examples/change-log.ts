import type { ExampleMakers } from '../example.ts'
import { newProject } from './projects.ts'

export const changeLogExamples: ExampleMakers = {
  listChangeLog: async (context) => {
    await newProject(context)
    return { query: { limit: '1', after: '0' } }
  },
  searchChangeLog: async (context) => {
    const { projectKey } = await newProject(context)
    return {
      query: { limit: '5' },
      body: [{ effect: 'allow', resources: [`proj/${projectKey}`], actions: ['createProject'] }],
    }
  },
  countChangeLog: async (context) => {
    const { projectKey } = await newProject(context)
    return {
      query: { after: '1767225600000', before: '1767312000000', buckets: '4' },
      body: [{ effect: 'allow', resources: [`proj/${projectKey}`], actions: ['createProject'] }],
    }
  },
  getChangeLogEntry: async (context) => {
    const { projectKey } = await newProject(context)
    const page = await context.call('listChangeLog', { query: { spec: `proj/${projectKey}` } })
    const { items } = page as { items: { _id: string }[] }
    return { params: { id: items[0]?._id ?? '' } }
  },
  revertChangeLogEntry: async (context) => {
    const { projectKey } = await newProject(context)
    const rename = [{ op: 'replace', path: '/name', value: 'Shop' }]
    await context.call('patchProject', { params: { projectKey: projectKey ?? '' }, body: rename })
    const page = await context.call('listChangeLog', { query: { spec: `proj/${projectKey}`, limit: '1' } })
    const { items } = page as { items: { _id: string }[] }
    return { params: { id: items[0]?._id ?? '' }, body: { comment: 'The old name was right' } }
  },
  // Applies one change, because the suites compare the entry of each example. The tests of this operation apply several
  // changes.
  applyChanges: async (context) => {
    const { projectKey } = await newProject(context)
    const flag = { key: 'checkout', name: 'Checkout' }
    return { body: { changes: [{ operation: 'createFlag', parameters: { projectKey }, body: flag }] } }
  },
  simulateChanges: async (context) => {
    const { projectKey } = await newProject(context)
    const flag = { key: 'search', name: 'Search' }
    const changes = [{ operation: 'createFlag', parameters: { projectKey }, body: flag }]
    return { body: { changes, contexts: [{ kind: 'user', key: 'ann' }] } }
  },
}

/** Inputs that cause errors which no generated call causes. */
export const failingChangeLogExamples: ExampleMakers = {
  applyChanges: async (context) => {
    const { projectKey } = await newProject(context)
    const parameters = { projectKey, flagKey: 'unknown' }
    return { body: { changes: [{ operation: 'patchFlag', parameters, body: [{ op: 'remove', path: '/tags/0' }] }] } }
  },
  simulateChanges: async (context) => {
    const { projectKey } = await newProject(context)
    const parameters = { projectKey, flagKey: 'unknown' }
    return { body: { changes: [{ operation: 'patchFlag', parameters, body: [{ op: 'remove', path: '/tags/0' }] }] } }
  },
}
