"""Publications that several measures come from."""

from reportgen.agreement.measure import Work

ARTSTEIN = Work(
    "Artstein and Poesio (2008), Computational Linguistics 34(4), 555-596", "10.1162/coli.07-034-R2"
)
BYRT = Work(
    "Byrt, Bishop and Carlin (1993), Journal of Clinical Epidemiology 46(5), 423-429",
    "10.1016/0895-4356(93)90018-V",
)
COHEN_1960 = Work(
    "Cohen (1960), Educational and Psychological Measurement 20(1), 37-46", "10.1177/001316446002000104"
)
COHEN_1968 = Work("Cohen (1968), Psychological Bulletin 70(4), 213-220", "10.1037/h0026256")
FORT = Work("Fort, François and Ghribi (2010), TALN, hal-00484265")
HRIPCSAK_2002 = Work(
    "Hripcsak and Heitjan (2002), Journal of Biomedical Informatics 35(2), 99-110",
    "10.1016/S1532-0464(02)00500-2",
)
HRIPCSAK_2005 = Work(
    "Hripcsak and Rothschild (2005), Journal of the American Medical Informatics Association 12(3), 296-298",
    "10.1197/jamia.M1733",
)
RIJSBERGEN = Work("van Rijsbergen (1979), Information Retrieval, second edition, chapter 7. Butterworths")
CHINCHOR = Work("Chinchor (1992), MUC-4 evaluation metrics, MUC-4, 22-29", "10.3115/1072064.1072067")
KRIPPENDORFF = Work("Krippendorff (2004), Content Analysis, second edition, chapter 11. Sage")
