const storageKey = 'halyard-token'

/** The access token, in the session storage of this tab. Other tabs do not have it, and closing the tab deletes it. */
export const token = {
  read: (): string | undefined => sessionStorage.getItem(storageKey) ?? undefined,
  save: (value: string): void => sessionStorage.setItem(storageKey, value),
  remove: (): void => sessionStorage.removeItem(storageKey),
}
