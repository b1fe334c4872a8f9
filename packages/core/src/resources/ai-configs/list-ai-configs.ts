import * as v from 'valibot'
import { aiConfigModes, aiConfigs } from '../../models/ai-configs/ai-config.ts'
import { projects } from '../../models/projects/project.ts'
import { listOperation } from '../../operation/document-operations/list-operation.ts'
import {
  allTexts,
  anyText,
  anyWord,
  sameText,
  type TermFields,
  termFilter,
  words,
} from '../../operation/filters/term-conditions.ts'
import { page, sort } from '../../operation/schema.ts'
import { aiConfigResponse, serializeAIConfig } from './ai-config-schema.ts'

/**
 * Terms of the filter of configs, evaluated on their narrow rows
 * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d29-ai-configs).
 */
const fields: TermFields = {
  query: words('key', 'name'),
  key: anyText('key'),
  name: sameText('name'),
  tags: allTexts('tags'),
  mode: anyWord('mode', aiConfigModes),
  maintainerId: anyText('maintainerId'),
  maintainerTeamKey: anyText('maintainerTeamKey'),
}

export const listAIConfigs = listOperation(aiConfigs, {
  id: 'listAIConfigs',
  summary: 'List the AI configs of a project with their variations',
  path: '/api/v2/projects/{projectKey}/ai-configs',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  within: projects,
  query: v.object({
    ...page(),
    sort: sort({ key: 'text', name: 'text', createdAt: 'number', updatedAt: 'number' }, 'name'),
    filter: termFilter(fields),
  }),
  select: ({ filter: conditions, sort }) => ({ where: conditions, order: [sort] }),
  response: aiConfigResponse,
  serialize: serializeAIConfig,
})
