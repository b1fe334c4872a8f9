import { createHalyardWebProvider } from '@halyard/openfeature/web'
import { OpenFeature, OpenFeatureProvider, useBooleanFlagValue } from '@openfeature/react-sdk'
import { createRoot } from 'react-dom/client'

const { environmentId = '' } = document.body.dataset
OpenFeature.setProvider(createHalyardWebProvider({ baseUrl: '', environmentId, stream: true }), { targetingKey: 'ann' })

function Checkout() {
  const isNew = useBooleanFlagValue('checkout', false)
  return <h1>{isNew ? 'New checkout' : 'Checkout'}</h1>
}

createRoot(document.body).render(
  <OpenFeatureProvider suspend>
    <Checkout />
  </OpenFeatureProvider>,
)
