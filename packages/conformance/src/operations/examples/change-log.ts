import type { ExampleMakers } from '../example.ts'
import { newProject } from './projects.ts'

export const changeLogExamples: ExampleMakers = {
  listChangeLog: async (world) => {
    await newProject(world)
    return { query: { limit: '1', after: '0' } }
  },
  getChangeLogEntry: async (world) => {
    const { projectKey } = await newProject(world)
    const found = await world.call('listChangeLog', { query: { spec: `proj/${projectKey}` } })
    const { items } = found as { items: { _id: string }[] }
    return { params: { id: items[0]?._id ?? '' } }
  },
}
