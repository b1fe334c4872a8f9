import * as v from 'valibot'
import type { ReadContext } from '../../operation/context.ts'
import { path, selfAndParent } from '../../operation/link.ts'
import { links, name, text, timestamp } from '../../operation/schema.ts'
import type { Keys } from '../../storage/collection.ts'
import { type Application, applicationKinds, type applications } from './application.ts'

/** Properties that a caller may set by a patch. */
export const applicationSettings = v.object({
  name: name(),
  kind: v.picklist(applicationKinds, `must be one of ${applicationKinds.join(', ')}`),
  description: text(),
})

const applicationObject = v.object({
  _links: links(),
  key: v.string(),
  name: v.string(),
  kind: v.picklist(applicationKinds),
  description: v.string(),
  creationDate: timestamp(),
  _version: v.number(),
})

/** An application in a response. */
export interface ApplicationResponse extends v.InferOutput<typeof applicationObject> {}

export const applicationResponse: v.GenericSchema<ApplicationResponse> = applicationObject

export function serializeApplication(
  { format }: Pick<ReadContext, 'format'>,
  { key, name, kind, description, createdAt, version }: Application,
  { projectKey, environmentKey }: Keys<typeof applications.template>,
): ApplicationResponse {
  const parent = path`/api/v2/projects/${projectKey}/environments/${environmentKey}/applications`
  return {
    _links: selfAndParent(parent + path`/${key}`, parent),
    key,
    name,
    kind,
    description,
    creationDate: format.time(createdAt),
    _version: version,
  }
}
