import * as v from 'valibot'
import { type AITool, type AIToolKeys, aiTools } from '../../models/ai-tools/ai-tool.ts'
import type { ReadContext } from '../../operation/context.ts'
import { path, selfAndParent } from '../../operation/link.ts'
import { accessDetails, anyObject, jsonObject, links, text } from '../../operation/schema.ts'
import { maintainerRequest, maintainerResponse, serializeMaintainer } from '../maintainers/maintainer-schema.ts'

/** Properties of a tool that a caller may update. */
export const aiToolPatch = v.strictObject({
  description: v.optional(text()),
  schema: v.optional(jsonObject()),
  customParameters: v.optional(jsonObject()),
  ...maintainerRequest,
})

const aiToolObject = v.object({
  _links: links(),
  key: v.string(),
  description: v.string(),
  schema: anyObject(),
  customParameters: anyObject(),
  version: v.number(),
  createdAt: v.number(),
  _maintainer: v.optional(maintainerResponse),
  _access: v.optional(accessDetails()),
})

/** An AI tool in a response. */
export interface AIToolResponse extends v.InferOutput<typeof aiToolObject> {}

export const aiToolResponse: v.GenericSchema<AIToolResponse> = aiToolObject

/** Serializes a tool, or one of its earlier revisions. */
export async function serializeAITool(
  context: ReadContext,
  tool: AITool,
  { projectKey, toolKey }: AIToolKeys,
): Promise<AIToolResponse> {
  const { key, description, schema, customParameters, revision, createdAt } = tool
  const parent = path`/api/v2/projects/${projectKey}/ai-tools`
  const [maintainer, _access] = await Promise.all([
    serializeMaintainer(context, tool),
    context.access(aiTools, { projectKey, toolKey }, tool),
  ])
  return {
    _links: selfAndParent(`${parent}${path`/${key}`}`, parent),
    key,
    description,
    schema,
    customParameters,
    version: revision,
    createdAt,
    ...maintainer,
    _access,
  }
}
