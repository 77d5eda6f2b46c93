#include "CodecProfile.h"

#include <stdlib.h>

#if !__has_include(<lcms2.h>)
#error "Little CMS is missing: run Scripts/setup of Streams, or install liblcms2-dev on Debian."
#endif
#include <lcms2.h>

struct CodecProfileTransform {
  cmsContext context;
  cmsHTRANSFORM transform;
};

// The curve of sRGB, as lcms describes parametric curves of type 4.
static cmsToneCurve *srgb_curve(cmsContext context) {
  cmsFloat64Number parameters[5] = {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};
  return cmsBuildParametricToneCurve(context, 4, parameters);
}

static cmsHPROFILE target(cmsContext context, bool isGray) {
  if (!isGray) return cmsCreate_sRGBProfileTHR(context);
  cmsToneCurve *curve = srgb_curve(context);
  if (!curve) return NULL;
  cmsHPROFILE profile = cmsCreateGrayProfileTHR(context, cmsD50_xyY(), curve);
  cmsFreeToneCurve(curve);
  return profile;
}

// From a profile, or from CIELab if there are no bytes. A context of its own for each, so that nothing is shared between threads,
// and nothing is printed.
static CodecProfileTransform *create(
  const uint8_t *bytes, size_t count, cmsColorSpaceSignature space, cmsUInt32Number from,
  cmsUInt32Number to, cmsUInt32Number flags) {
  CodecProfileTransform *result = calloc(1, sizeof *result);
  if (!result) return NULL;
  result->context = cmsCreateContext(NULL, NULL);
  if (result->context && count <= UINT32_MAX) {
    cmsHPROFILE source = bytes ? cmsOpenProfileFromMemTHR(result->context, bytes, (cmsUInt32Number)count)
                               : cmsCreateLab4ProfileTHR(result->context, NULL);
    cmsHPROFILE destination = target(result->context, T_COLORSPACE(to) == PT_GRAY);
    if (source && destination && cmsGetColorSpace(source) == space) {
      result->transform = cmsCreateTransformTHR(
        result->context, source, from, destination, to, INTENT_PERCEPTUAL, flags);
    }
    if (source) cmsCloseProfile(source);
    if (destination) cmsCloseProfile(destination);
  }
  if (result->transform) return result;
  codec_profile_transform_destroy(result);
  return NULL;
}

CodecProfileTransform *codec_profile_transform_create(
  const uint8_t *profile, size_t count, uint32_t channels, bool isWide) {
  cmsUInt32Number gray = isWide ? TYPE_GRAY_16 : TYPE_GRAY_8, rgb = isWide ? TYPE_RGB_16 : TYPE_RGB_8;
  cmsUInt32Number rgba = isWide ? TYPE_RGBA_16 : TYPE_RGBA_8;
  switch (channels) {
  case 1: return create(profile, count, cmsSigGrayData, gray, gray, cmsFLAGS_NOCACHE);
  case 3: return create(profile, count, cmsSigRgbData, rgb, rgb, cmsFLAGS_NOCACHE);
  case 4: return create(profile, count, cmsSigRgbData, rgba, rgba, cmsFLAGS_NOCACHE | cmsFLAGS_COPY_ALPHA);
  default: return NULL;
  }
}

CodecProfileTransform *codec_profile_transform_create_for_gray(
  const uint8_t *profile, size_t count, uint32_t channels, bool isWide) {
  cmsUInt32Number gray = isWide ? TYPE_GRAY_16 : TYPE_GRAY_8, rgb = isWide ? TYPE_RGB_16 : TYPE_RGB_8;
  return create(
    profile, count, cmsSigGrayData, gray | EXTRA_SH(channels - 1), rgb | EXTRA_SH(channels - 3),
    cmsFLAGS_NOCACHE);
}

CodecProfileTransform *codec_profile_transform_create_for_inks(
  const uint8_t *profile, size_t count, bool isInverted) {
  return create(
    profile, count, cmsSigCmykData, isInverted ? TYPE_CMYK_8_REV : TYPE_CMYK_8, TYPE_RGB_8,
    cmsFLAGS_NOCACHE);
}

CodecProfileTransform *codec_profile_transform_create_for_lab(bool isWide) {
  return create(
    NULL, 0, cmsSigLabData, TYPE_Lab_16, isWide ? TYPE_RGB_16 : TYPE_RGB_8,
    cmsFLAGS_NOCACHE | cmsFLAGS_HIGHRESPRECALC);
}

void codec_profile_transform_apply(
  const CodecProfileTransform *transform, const uint8_t *source, uint8_t *destination, size_t pixelCount) {
  cmsDoTransform(transform->transform, source, destination, (cmsUInt32Number)pixelCount);
}

void codec_profile_transform_destroy(CodecProfileTransform *transform) {
  if (!transform) return;
  if (transform->transform) cmsDeleteTransform(transform->transform);
  if (transform->context) cmsDeleteContext(transform->context);
  free(transform);
}

uint8_t *codec_profile_of_primaries(const double *primaries, size_t *count) {
  cmsContext context = cmsCreateContext(NULL, NULL);
  if (!context) return NULL;
  cmsCIExyY white = {0.3127, 0.3290, 1};
  cmsCIExyYTRIPLE colors = {
    {primaries[0], primaries[1], 1}, {primaries[2], primaries[3], 1}, {primaries[4], primaries[5], 1}};
  cmsToneCurve *curve = srgb_curve(context);
  cmsToneCurve *curves[3] = {curve, curve, curve};
  cmsHPROFILE profile = curve ? cmsCreateRGBProfileTHR(context, &white, &colors, curves) : NULL;
  uint8_t *bytes = NULL;
  cmsUInt32Number size = 0;
  if (profile && cmsSaveProfileToMem(profile, NULL, &size)) {
    bytes = malloc(size);
    if (bytes && !cmsSaveProfileToMem(profile, bytes, &size)) {
      free(bytes);
      bytes = NULL;
    }
  }
  *count = size;
  if (profile) cmsCloseProfile(profile);
  if (curve) cmsFreeToneCurve(curve);
  cmsDeleteContext(context);
  return bytes;
}
