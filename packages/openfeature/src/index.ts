export { createHalyardProvider, type HalyardProviderOptions } from './server-provider.ts'
