import { useMemo } from 'react';
import { encode } from 'uqr';

/** Empty modules around it, without which no phone reads it. */
const border = 3;

/** A picture that a phone reads; black on white in either scheme, by the class that is given. */
export function QrCode({ text, name, className }: { text: string; name: string; className: string }) {
  const { size, path } = useMemo(() => {
    const code = encode(text, { border });
    const squares = code.data.flatMap((row, y) =>
      row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')),
    );
    return { size: code.size, path: squares.join('') };
  }, [text]);
  return (
    <svg
      role="img"
      aria-label={name}
      className={className}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      data-text={text}
    >
      <path d={path} fill="currentColor" />
    </svg>
  );
}
