import { createHalyardWebProvider } from '@halyard/openfeature/web'
import { OpenFeature, OpenFeatureProvider, useBooleanFlagValue } from '@openfeature/react-sdk'
import { createRoot } from 'react-dom/client'

const { environmentId = '' } = document.body.dataset
OpenFeature.setProvider(createHalyardWebProvider({ baseUrl: '', environmentId, stream: true }), { targetingKey: 'ann' })

function Home() {
  const isNew = useBooleanFlagValue('checkout', false)
  return <h1>{isNew ? 'the new shop' : 'the shop'}</h1>
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <OpenFeatureProvider suspend>
    <Home />
  </OpenFeatureProvider>,
)
