import * as v from 'valibot'
import { variationsNaming } from '../../models/ai-configs/variations-naming.ts'
import { aiTools } from '../../models/ai-tools/ai-tool.ts'
import { pageLinks } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { collection, page } from '../../operation/schema.ts'
import {
  presentVariationReferences,
  variationReferenceWire,
} from '../ai-configs/variations/variation-reference-wire.ts'

const toolReferenceWire = v.object({ ...variationReferenceWire.entries, toolVersion: v.number() })

export const listAIToolReferences = operation({
  id: 'listAIToolReferences',
  summary: 'List the variations of AI configs that use a tool, with the tool version that each uses',
  method: 'GET',
  path: '/api/v2/projects/{projectKey}/ai-tools/{toolKey}/references',
  query: v.object(page()),
  success: { status: 200, body: collection(toolReferenceWire) },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params, query }) {
    const { toolKey } = params
    const [tool, found] = await Promise.all([
      context.tx.get(aiTools, params),
      variationsNaming(context.tx, params, 'tools', toolKey, query),
    ])
    if (!tool) context.fail('not_found')
    const references = await presentVariationReferences(context, params, found.items)
    return {
      items: references.map((reference, at) => {
        const used = found.items[at]?.tools.find(({ key }) => key === toolKey)
        return { ...reference, toolVersion: used?.version ?? 0 }
      }),
      totalCount: found.total,
      _links: pageLinks(context.url, query, found.total),
    }
  },
})
