import * as v from 'valibot'
import { associatedRepositories } from '../../models/insight-repositories/project-repository.ts'
import { projects } from '../../models/projects/project.ts'
import { jsonBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { key, list, name } from '../../operation/schema.ts'
import { undoOf } from '../../operation/undo/undo-rules.ts'

const mapping = { repositoryKey: name(), projectKey: key() }
const mappings = list(v.object(mapping))

export const associateRepositoriesAndProjects = operation({
  id: 'associateRepositoriesAndProjects',
  undo: [
    undoOf(projects, {
      sets: {
        repositories: {
          async removeKeys(context, keys, project, repositoryKeys) {
            for (const repositoryKey of repositoryKeys) {
              const itsKeys = { ...keys, repositoryKey }
              await context.demand('dissociateRepository', associatedRepositories, itsKeys)
              if (!(await context.tx.get(associatedRepositories, itsKeys))) {
                const message = `A later change prevents this: ${repositoryKey} is no longer associated`
                context.fail('optimistic_locking_error', { message, conflicts: [{ path: '/repositories' }] })
              }
              context.tx.discard(associatedRepositories, { ...keys, repositoryKey })
            }
            context.tx.note(projects, keys, project, { set: 'repositories', removed: repositoryKeys })
          },
          async addKeys(context, keys, project, repositoryKeys) {
            for (const repositoryKey of repositoryKeys) {
              await context.demand('associateRepository', associatedRepositories, { ...keys, repositoryKey })
            }
            context.tx.note(projects, keys, project, {
              set: 'repositories',
              action: 'associateRepository',
              added: repositoryKeys,
            })
          },
        },
      },
    }),
  ],
  summary: 'Associate repositories with projects',
  method: 'PUT',
  path: '/api/v2/engineering-insights/repositories/projects',
  beta: 'tagged',
  body: jsonBody(
    v.strictObject({
      mappings: v.pipe(list(v.strictObject(mapping)), v.maxLength(1000, 'must contain at most 1000 mappings')),
    }),
  ),
  success: { status: 200, body: v.object({ mappings }) },
  errors: ['invalid_request', 'forbidden', 'not_found', 'optimistic_locking_error'],
  access: {
    open: true,
    why: 'the body names several projects; the right to each is checked after they were read',
    demands: ['associateRepository', 'dissociateRepository'],
  },
  async handle(context, { body }) {
    const { tx } = context
    const now = context.readClock()
    for (const projectKey of new Set(body.mappings.map((mapping) => mapping.projectKey))) {
      const project = await tx.get(projects, { projectKey })
      const visible = project && (await context.allowed('viewProject', projects, { projectKey }))
      if (!project || !visible) return context.fail('not_found')
      tx.expect(projects, { projectKey }, project)
      const requested = body.mappings
        .filter((mapping) => mapping.projectKey === projectKey)
        .map((mapping) => mapping.repositoryKey)
      const stored = await tx.getMany(
        associatedRepositories,
        requested.map((repositoryKey) => ({ projectKey, repositoryKey })),
      )
      const added = [...new Set(requested.filter((_, index) => !stored[index]))]
      for (const repositoryKey of requested) {
        await context.demand('associateRepository', associatedRepositories, { projectKey, repositoryKey })
        tx.ensure(associatedRepositories, { projectKey, repositoryKey }, { key: repositoryKey, associatedAt: now })
      }
      if (added.length > 0) {
        tx.note(projects, { projectKey }, project, { set: 'repositories', action: 'associateRepository', added })
      }
    }
    return { mappings: body.mappings }
  },
})
