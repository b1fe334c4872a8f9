import { signal } from '@preact/signals'

/** The latest message about what happened, for all readers including screen readers. */
export const notice = signal('')

/** Announces what happened. */
export function announce(text: string): void {
  notice.value = text
}
