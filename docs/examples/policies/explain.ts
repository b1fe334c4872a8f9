import { explainPolicy } from '@halyard/testing'
import { support } from './policies.ts'

const { text } = explainPolicy(support, {
  action: 'updateOn',
  resource: 'proj/shop:env/production:flag/banner',
})
console.log(text)
