import { api, type ResponseOf } from '../../api.ts'
import { ConfirmedAction, DialogAction } from '../../components/dialog-action.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { hrefOf, Link, navigate } from '../../navigation.tsx'
import type { AIConfigPlace } from '../../review/reviewed-change.ts'
import { texts } from '../../texts.ts'
import { useQuery } from '../../use-query.ts'
import { AIConfigMetrics } from './ai-config-metrics.tsx'
import { AIConfigTargeting } from './ai-config-targeting.tsx'
import { VariationForm } from './variation-form.tsx'
import { VersionComparison } from './version-comparison.tsx'

type AIConfig = ResponseOf<'getAIConfig'>

const { aiConfigs } = texts

/** An AI config with its variations, its targeting in the environment, and its metrics. */
export function AIConfigPage({ params }: { params: Readonly<Record<string, string>> }) {
  const place = { project: '', environment: '', config: '', ...params }
  const keys = { projectKey: place.project, configKey: place.config }
  const query = useQuery(`AI config ${place.project} ${place.config}`, () => api.getAIConfig(keys))
  const name = query.data?.name ?? place.config
  const resource = `proj/${place.project}:aiconfig/${place.config}`
  return (
    <>
      <PageTitle title={name}>
        <ConfirmedAction
          label={aiConfigs.remove}
          action="deleteAIConfig"
          resource={resource}
          danger
          question={aiConfigs.removeQuestion(name)}
          run={async () => {
            await api.deleteAIConfig(keys)
            navigate(hrefOf('aiConfigs', { project: place.project, environment: place.environment }))
          }}
        />
      </PageTitle>
      <p>
        <Link href={hrefOf('aiConfigs', { project: place.project, environment: place.environment })}>
          {aiConfigs.all}
        </Link>
      </p>
      <QueryView query={query}>
        {(config) => (
          <>
            {config.description && <p>{config.description}</p>}
            <Variations place={place} config={config} resource={resource} />
            <AIConfigTargeting place={place} />
            <AIConfigMetrics place={place} variations={config.variations} />
          </>
        )}
      </QueryView>
    </>
  )
}

function Variations({ place, config, resource }: { place: AIConfigPlace; config: AIConfig; resource: string }) {
  const { variations, mode } = config
  return (
    <section class="panel">
      <div class="row middle">
        <h2>{aiConfigs.variations}</h2>
        <DialogAction label={aiConfigs.addVariation} action="updateAIConfigVariation" resource={resource} wide>
          {(close) => <VariationForm place={place} mode={mode} onClose={close} />}
        </DialogAction>
      </div>
      {variations.length === 0 && <p class="quiet">{aiConfigs.noVariations}</p>}
      <ul class="plain-list">
        {variations.map((variation) => (
          <li key={variation.key} class="entry">
            <div class="row middle">
              <strong>{variation.name}</strong> <code class="quiet">{variation.key}</code>
              <span class="tag">{aiConfigs.version(variation.version)}</span>
              <DialogAction label={aiConfigs.edit} action="updateAIConfigVariation" resource={resource} wide>
                {(close) => <VariationForm place={place} mode={mode} variation={variation} onClose={close} />}
              </DialogAction>
              <ConfirmedAction
                label={aiConfigs.removeVariation}
                action="deleteAIConfigVariation"
                resource={resource}
                danger
                question={aiConfigs.removeVariationQuestion(variation.name)}
                run={() =>
                  api.deleteAIConfigVariation({
                    projectKey: place.project,
                    configKey: place.config,
                    variationKey: variation.key,
                  })
                }
              />
            </div>
            {variation.modelConfigKey && (
              <p class="quiet">
                {aiConfigs.model}: {variation.modelConfigKey}
              </p>
            )}
            <VersionComparison place={place} variation={variation.key} />
          </li>
        ))}
      </ul>
    </section>
  )
}
