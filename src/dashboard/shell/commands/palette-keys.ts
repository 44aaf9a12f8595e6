const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** What opens the palette on this machine. */
export const paletteKeys: readonly string[] = isApple ? ['⌘', 'K'] : ['Ctrl', 'K'];
