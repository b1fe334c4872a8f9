import * as v from 'valibot'
import { insertEnvironment } from '../../models/environments/environment.ts'
import { type ClientSideAvailability, projects } from '../../models/projects/project.ts'
import { jsonBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { key } from '../../operation/schema.ts'
import { undoOf } from '../../operation/undo/undo-rules.ts'
import { environmentRequest } from '../environments/environment-schema.ts'
import { serializeEnvironments } from '../environments/environments-response.ts'
import { projectResponse, projectSettings, projectSnippet, serializeProject } from './project-schema.ts'
import { requestedAvailability, snippetErrors } from './snippet-alias.ts'

/** Environments of a new project when the request names no environments. */
const defaultEnvironments = [
  { key: 'production', name: 'Production', color: '417505', critical: true },
  { key: 'test', name: 'Test', color: 'f5a623' },
]

/** Client-side SDKs that may read the flags of a new project when the request has no value. */
const defaultAvailability: ClientSideAvailability = { usingEnvironmentId: false, usingMobileKey: true }

const createRequest = v.strictObject({
  key: key(),
  name: projectSettings.entries.name,
  tags: v.optional(projectSettings.entries.tags, []),
  includeInSnippetByDefault: v.optional(v.boolean()),
  defaultClientSideAvailability: v.optional(projectSettings.entries.defaultClientSideAvailability),
  environments: v.optional(
    v.pipe(
      v.array(environmentRequest),
      v.maxLength(100, 'must contain at most 100 environments'),
      v.check(
        (list) => new Set(list.map((environment) => environment.key)).size === list.length,
        'must not repeat a key',
      ),
    ),
  ),
})

export const createProject = operation({
  id: 'createProject',
  undo: [undoOf(projects, { create: 'createProject' })],
  summary: 'Create a project and its environments',
  method: 'POST',
  path: '/api/v2/projects',
  body: jsonBody(createRequest),
  success: { status: 201, body: projectResponse },
  errors: ['invalid_request', 'optimistic_locking_error'],
  access: { action: 'createProject', resource: 'proj/{body.key}' },
  async handle(context, { body }) {
    const { tx } = context
    const host = context.useHost()
    const now = context.readClock()
    const { environments: requestedEnvironments, includeInSnippetByDefault: alias, ...settings } = body
    const availability = settings.defaultClientSideAvailability
    const errors = snippetErrors(projectSnippet, { alias, availability })
    if (errors.length > 0) context.fail('invalid_request', { errors })
    const defaultClientSideAvailability = requestedAvailability({ alias, availability }, defaultAvailability)
    const project = tx.insert(
      projects,
      { projectKey: body.key },
      { ...settings, defaultClientSideAvailability, id: host.newId(), createdAt: now },
      () => context.fail('optimistic_locking_error', { message: `There is a project ${body.key} already` }),
    )
    const requests = requestedEnvironments?.length
      ? requestedEnvironments
      : defaultEnvironments.map((environment) => v.parse(environmentRequest, environment))
    const created = requests.map((request) => insertEnvironment({ tx, host, now }, project.key, request))
    context.setRevision(project.version)
    return serializeProject(context, project, await serializeEnvironments(context, project.key, created))
  },
})
