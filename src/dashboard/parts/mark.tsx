/** The same in every language. */
export const productName = 'Heliograph';

/** The disc and its ray. */
export function Mark({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <path
        fill="var(--sun)"
        d="M11 12.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17ZM17.5 11.5 23.5 1.5 30.5 8.5 20.5 14.5Z"
      />
    </svg>
  );
}
