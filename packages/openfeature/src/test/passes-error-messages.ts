import { ErrorCode, OpenFeature, type Provider } from '@openfeature/server-sdk'

/**
 * Returns true when the server SDK reports the message of an error that a provider returned. Version 1.17.0 drops it.
 */
export async function passesErrorMessages(): Promise<boolean> {
  const fail = async <T>(_: string, value: T) => ({ value, errorCode: ErrorCode.GENERAL, errorMessage: 'message' })
  const provider: Provider = {
    metadata: { name: 'failing' },
    resolveBooleanEvaluation: fail,
    resolveNumberEvaluation: fail,
    resolveObjectEvaluation: fail,
    resolveStringEvaluation: fail,
  }
  await OpenFeature.setProviderAndWait('failing', provider)
  const { errorMessage } = await OpenFeature.getClient('failing').getBooleanDetails('flag', false)
  return errorMessage === 'message'
}
