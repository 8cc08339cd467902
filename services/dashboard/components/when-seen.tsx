import { type ReactNode, useEffect, useRef, useState } from 'react';

interface WhenSeenProps {
  /** Space that the content takes, in pixels, so that nothing moves when it appears. */
  height: number;
  children: ReactNode;
}

/**
 * Renders its content once its place is in view, and keeps it. For content below the first screen that loads code or
 * reads lists that nothing else needs.
 */
export function WhenSeen({ height, children }: WhenSeenProps) {
  const place = useRef<HTMLDivElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (!element || isSeen) return;
    const watch = new IntersectionObserver((entries) => setSeen(entries.some(({ isIntersecting }) => isIntersecting)));
    watch.observe(element);
    return () => watch.disconnect();
  }, [isSeen]);
  return isSeen ? children : <div ref={place} style={{ minHeight: height }} />;
}
