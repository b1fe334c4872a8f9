import * as v from 'valibot'
import { referencingVariations } from '../../models/ai-configs/referencing-variations.ts'
import { aiTools } from '../../models/ai-tools/ai-tool.ts'
import { pageLinks } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { page } from '../../operation/schema.ts'
import {
  serializeVariationReferences,
  variationReferenceResponse,
  variationReferencesResponse,
} from '../ai-configs/variations/variation-reference-response.ts'

const toolReferenceResponse = v.object({ ...variationReferenceResponse.entries, toolVersion: v.number() })

export const listAIToolReferences = operation({
  id: 'listAIToolReferences',
  summary: 'List the variations of AI configs that use a tool, with the tool version that each uses',
  method: 'GET',
  path: '/api/v2/projects/{projectKey}/ai-tools/{toolKey}/references',
  query: v.object(page()),
  success: { status: 200, body: variationReferencesResponse(toolReferenceResponse) },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params, query }) {
    const { toolKey } = params
    const [tool, variations] = await Promise.all([
      context.tx.get(aiTools, params),
      referencingVariations(context.tx, params, { field: 'tools', key: toolKey }, query),
    ])
    if (!tool) context.fail('not_found')
    const references = await serializeVariationReferences(context.tx, params, variations.items)
    return {
      resourceKey: toolKey,
      resourceType: aiTools.name,
      items: references.map((reference, index) => {
        const usedTool = variations.items[index]?.tools.find(({ key }) => key === toolKey)
        return { ...reference, toolVersion: usedTool?.version ?? 0 }
      }),
      totalCount: variations.total,
      _links: pageLinks(context.url, query, variations.total),
    }
  },
})
