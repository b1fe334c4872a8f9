import { OFREPWebProvider } from '@openfeature/ofrep-web-provider'
import { OpenFeature, OpenFeatureProvider, useBooleanFlagValue } from '@openfeature/react-sdk'
import { createRoot } from 'react-dom/client'

const { environmentId = '' } = document.body.dataset
const provider = new OFREPWebProvider({
  baseUrl: location.origin,
  headers: [['Authorization', `Bearer ${environmentId}`]],
})
OpenFeature.setProvider(provider, { targetingKey: 'ann' })

function Checkout() {
  const isNew = useBooleanFlagValue('checkout', false)
  return <h1>{isNew ? 'New checkout' : 'Checkout'}</h1>
}

createRoot(document.body).render(
  <OpenFeatureProvider suspend>
    <Checkout />
  </OpenFeatureProvider>,
)
